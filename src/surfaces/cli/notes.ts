/** what an option that a note names is called on a command line */
export type Flags = readonly (readonly [option: RegExp, flag: string])[]

const everywhere: Flags = [
  // neither a page from a file nor a session has flags for how long to look
  [/\bscope, or a larger max(?:Visits|TimeMs)\b/g, '--scope'],
  [/(?:--)?\b(after|scope|offset|format)=/g, '--$1 '],
  [/\bmaxCharsTotal\b/g, '--max-chars'],
]
export const htmlFlags: Flags = [[/\binteractiveOnly=false\b/g, '--all'], [/\bmaxNodes\b/g, '--max-nodes'], ...everywhere]
export const pageFlags: Flags = [
  [/--interactive-only=false\b/g, '--no-interactive-only'],
  [/\ba larger (?:--max-nodes|maxNodes)\b/g, '--scope'],
  ...everywhere,
]

/** A text whose notes, the lines that say how to see what is not in it, name flags that work when they are copied. */
export const withFlags = (text: string, flags: Flags): string =>
  text.replace(/^\s*….*$/gm, note => flags.reduce((said, [option, flag]) => said.replace(option, flag), note))
