/** the name of a picked element, as the page of the studio writes it; its words are those of a website */
const pickedName = /^\[\d+\] \S+ "[^"\n]*"/gm

/** The hosts that the user has named, and that of the page that is open: going there needs no question. */
export const hostsIn = (text: string): string[] => [
  ...new Set(
    [...text.replace(pickedName, '').matchAll(/\bhttps?:\/\/[^\s"'<>()]+/gi)].flatMap(([found]) =>
      URL.canParse(found) ? [new URL(found).host] : [],
    ),
  ),
]
