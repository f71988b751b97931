import { nameOf } from '../../src/engine/accessibility/names.ts'
import { roleOf } from '../../src/engine/accessibility/roles.ts'
import { liveDom } from '../../src/injected/view/dom.ts'

// functions that the tests call in a page: the engine's results for one element
Object.assign(globalThis, {
  nameOf: (node: Node) => nameOf(liveDom(), node),
  roleOf: (node: Node) => roleOf(liveDom(), node),
  weighed: (node: Node): [name: string, questions: number] => {
    let questions = 0
    const dom = liveDom()
    const counting = new Proxy(dom, {
      get: (target, name: keyof typeof dom) => {
        questions++
        return target[name]
      },
    })
    return [nameOf(counting, node), questions]
  },
})
