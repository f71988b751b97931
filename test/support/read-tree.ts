/** A parsed line of the tree format. */
export interface ReadNode {
  readonly role: string
  readonly name: string
  readonly text: string
  readonly ref?: string
  readonly hint?: { text: string; from: string }
  readonly value?: string
  /** attributes and states in the order of the line; a bare word has the value true */
  readonly marks: { readonly [word: string]: string | true }
  readonly children: readonly ReadNode[]
}

type Reading = Omit<ReadNode, 'children'> & { children: Reading[] }

/** Parses the tree format; throws if a line does not follow the grammar. */
export function readTree(text: string): { header: string; nodes: readonly ReadNode[]; notes: readonly string[] } {
  const [header = '', ...lines] = text.split('\n')
  if (!header.startsWith('[snapshot] ')) throw new Error(`no header: ${header}`)
  const nodes: Reading[] = []
  const notes: string[] = []
  const open: Reading[] = []
  for (const line of lines) {
    if (line.trimStart().startsWith('…')) {
      notes.push(line)
      continue
    }
    const depth = (line.length - line.trimStart().length) / 2
    if (!Number.isInteger(depth) || depth > open.length) throw new Error(`bad indentation: ${line}`)
    const node = readLine(line.trimStart())
    open.length = depth
    const holder = open[depth - 1]
    ;(holder ? holder.children : nodes).push(node)
    open.push(node)
  }
  return { header, nodes, notes }
}

const quoted = /"(?:[^"\\]|\\.)*"/y

function readLine(line: string): Reading {
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const [found] = pattern.exec(line) ?? []
    if (found !== undefined) at += found.length
    return found
  }
  const string = (): string => {
    const found = take(quoted)
    if (found === undefined) throw new Error(`no string at ${at}: ${line}`)
    return JSON.parse(found)
  }
  if (take(/- /y) === undefined) throw new Error(`not a node: ${line}`)
  const role = take(/[a-z][\w.:-]*?(?=[: ]|$)/iy)
  if (role === undefined) throw new Error(`no role: ${line}`)
  const label = take(/ (?=")/y) === undefined ? '' : string()
  const marks: { [word: string]: string | true } = {}
  let [ref, hint, value]: [string?, { text: string; from: string }?, string?] = []
  while (take(/ \[/y) !== undefined) {
    const word = take(/covered by(?==)|[a-z][\w.:-]*/iy)
    if (word === undefined) throw new Error(`no word at ${at}: ${line}`)
    const said = take(/=/y) === undefined ? true : line[at] === '"' ? string() : (take(/[\w,-]+/y) ?? '')
    if (word === 'hint') hint = { text: String(said), from: (take(/ from=\w+/y) ?? '').slice(' from='.length) }
    else if (word === 'ref') ref = String(said)
    else if (word === 'value') value = String(said)
    else marks[word] = said
    if (take(/\]/y) === undefined) throw new Error(`no ] at ${at}: ${line}`)
  }
  const text = take(/: (?=")/y) === undefined ? '' : string()
  take(/:/y)
  if (at !== line.length) throw new Error(`left over at ${at}: ${line}`)
  const said = role === 'text' ? { name: '', text: label } : { name: label, text }
  return { role, ...said, ...(ref && { ref }), ...(hint && { hint }), ...(value !== undefined && { value }), marks, children: [] }
}
