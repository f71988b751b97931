import * as native from '../runtime/natives.ts'

/** Receives the value of a secret field, so that the host can redact it elsewhere; `field` is a number that identifies the field. */
export type SecretReport = (value: string, field: number) => void

/**
 * The fields of a document that were secret at some time. A field stays secret after a "show password" toggle, also if the toggle replaced
 * the element, and if both happened before the first snapshot.
 */
export interface SecretFields {
  /** remembers a field and its value */
  add(field: Node, value: string): void
  has(field: Node, value: string): boolean
  /** whether it was a password field, or took the place of one */
  wasPassword(field: Node): boolean
}

const textFields = 'input,textarea'
/** a shorter value may be in another field by chance */
const minValue = 4

export function watchSecretFields(report: SecretReport = () => {}): SecretFields {
  const fields = new WeakMap<Node, number>()
  const signatures = new Set<string>()
  const passwords = new WeakSet<Node>()
  const values = new Set<string>()
  let count = 0

  const remember = (field: Node) => {
    if (!fields.has(field)) fields.set(field, ++count)
    const signature = signatureOf(field)
    if (signature) signatures.add(signature)
  }
  const rememberPassword = (field: Node) => {
    remember(field)
    passwords.add(field)
  }
  const isPassword = (field: Node) => fields.has(field) || typeOf(field) === 'password'

  const onMutations = (records: readonly MutationRecord[]) => {
    const removed = new Map<Node, Node[]>()
    for (const { type, target, oldValue, removedNodes } of records) {
      if (type === 'attributes') {
        if (oldValue?.toLowerCase() === 'password') rememberPassword(target)
        continue
      }
      const secrets = fieldsIn(removedNodes).filter(isPassword)
      for (const secret of secrets) (typeOf(secret) === 'password' || passwords.has(secret) ? rememberPassword : remember)(secret)
      if (secrets.length) removed.set(target, [...(removed.get(target) ?? []), ...secrets])
    }
    if (!removed.size) return
    // fields that take the places of as many secret ones in the same element are the same fields, whatever their names
    const added = new Map<Node, Node[]>()
    for (const { target, addedNodes } of records)
      if (removed.has(target)) added.set(target, [...(added.get(target) ?? []), ...fieldsIn(addedNodes)])
    for (const [target, secrets] of removed) {
      const successors = added.get(target) ?? []
      if (successors.length !== secrets.length) continue
      for (let i = 0; i < secrets.length; i++)
        if (isSameName(successors[i] as Node, secrets[i] as Node))
          (passwords.has(secrets[i] as Node) ? rememberPassword : remember)(successors[i] as Node)
    }
  }
  const observer = native.observe(onMutations)
  observer.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['type'], attributeOldValue: true })

  return {
    wasPassword: field => {
      onMutations(observer.takeRecords())
      return passwords.has(field)
    },
    add: (field, value) => {
      // the type of a hidden field says nothing about a visible field of the same name
      if (typeOf(field) === 'hidden') {
        if (!fields.has(field)) fields.set(field, ++count)
        // a token has no spaces; the name of a product does, and is on the page for everyone to read
        if (/\s/.test(value)) return
      } else {
        remember(field)
        if (value.length >= minValue) values.add(value)
      }
      if (value) report(value, fields.get(field) as number)
    },
    has: (field, value) => {
      onMutations(observer.takeRecords())
      return fields.has(field) || signatures.has(signatureOf(field)) || values.has(value)
    },
  }
}

const typeOf = (field: Node) => native.getAttribute(field, 'type')?.toLowerCase()

/** where a field is and what it is called; '' if it has no name */
function signatureOf(field: Node): string {
  const read = (node: Node, names: string) => names.split(' ').map(name => native.getAttribute(node, name) ?? '')
  const own = read(field, 'name id').join(' ')
  const form = native.formOf(field)
  return own === ' ' ? '' : [own, ...(form ? read(form, 'id name action') : [])].join(' ')
}

function isSameName(one: Node, other: Node): boolean {
  const [name, otherName] = [one, other].map(field => native.getAttribute(field, 'name') || native.getAttribute(field, 'id'))
  return !name || !otherName || name === otherName
}

function fieldsIn(nodes: ArrayLike<Node>): Node[] {
  const found: Node[] = []
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] as Node
    if (native.nodeType(node) !== 1) continue
    if (native.matches(node, textFields)) found.push(node)
    else if (native.firstChild(node)) found.push(...Array.from(native.elementAll(node, textFields)))
  }
  return found
}
