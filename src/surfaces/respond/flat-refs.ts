/**
 * The flat list calls an element [15], so the answers beside it do too: e15 is [15], and a changed line begins with its number.
 * Words of the page stand in quotes and stay as they are; a ref inside a frame keeps its whole spelling.
 */
export const toFlatRefs = (line: string): string =>
  line
    .replace(/^([~+-] )((?:"(?:[^"\\]|\\.)*"|[^"])*?) ?\[ref=(\w+)\]/, (_, sign: string, before: string, ref: string) =>
      `${sign}${numberOf(ref)} ${before}`.trimEnd(),
    )
    .replace(/"(?:[^"\\]|\\.)*"|\[ref=(\w+)\]|\b((?:f\d+)?e\d+)\b(?!\])/g, (found, marked?: string, bare?: string) =>
      marked || bare ? numberOf(marked ?? bare ?? '') : found,
    )

const numberOf = (ref: string): string => `[${ref.startsWith('e') ? ref.slice(1) : ref}]`
