import { type Call, describe, formOf, type Get, getters, methods, nothing, uncurry, unsure } from './natives.ts'
import { noteEffect } from './pristine.ts'

// DOM methods and setters that actions need, captured at injection like the accessors in natives.ts. Call those that run handlers of the page
// inside `asPage`.
export * from './natives.ts'

/** setters of an interface by name */
function setters<T extends unknown[]>(of: string, names: string): T {
  return names.split(' ').map(name => {
    const set = uncurry(describe(of, name)?.set ?? nothing)
    return (self: object, value: unknown) => {
      noteEffect()
      set(self, value)
    }
  }) as T
}

export const [filesOf] = unsure<[Get<FileList>]>('HTMLInputElement', 'files')
const messages = ['Input', 'TextArea', 'Select'].map(kind => unsure<[Get<string>]>(`HTML${kind}Element`, 'validationMessage')[0])
/** why a field is invalid, in the words of the browser or the page */
export const validationMessage = (field: object): string | undefined => messages.map(of => of(field)).find(Boolean)
/** the EditContext of an element that draws its text elsewhere; Chromium 121 or newer */
export const [editContext] = unsure<[Get<{ readonly text: string }>]>('HTMLElement', 'editContext')
export const [optionValue] = unsure<[Get<string>]>('HTMLOptionElement', 'value')
export const [scrollWidth] = getters<[Get<number>]>('Element', 'scrollWidth')
type Set<T> = (self: object, value: T) => void
export const [setInputValue, setFiles] = setters<[Set<string>, Set<FileList>]>('HTMLInputElement', 'value files')
export const [setTextareaValue] = setters<[Set<string>]>('HTMLTextAreaElement', 'value')
export const [setOptionSelected] = setters<[Set<boolean>]>('HTMLOptionElement', 'selected')
export const [dispatch, listen, unlisten] = methods<
  [
    Call<(event: Event) => boolean>,
    Call<(type: string, heard: (event: Event) => void, options: object) => void>,
    Call<(type: string, heard: (event: Event) => void, options: object) => void>,
  ]
>('EventTarget', 'dispatchEvent addEventListener removeEventListener')
export const [focus, blur] = methods<[Call<(options?: object) => void>, Call<() => void>]>('HTMLElement', 'focus blur')
export const focusWindow = uncurry(globalThis.focus)
export const [scrollIntoView, scrollBy, attributeNames] = methods<
  [Call<(options: object) => void>, Call<(options: object) => void>, Call<() => string[]>]
>('Element', 'scrollIntoView scrollBy getAttributeNames')
export const [requestSubmit] = methods<[Call<() => void> | null]>('HTMLFormElement', 'requestSubmit')
export const [execCommand] = methods<[Call<(name: string, ui: boolean, value: string) => boolean>]>('Document', 'execCommand')

export const [selectionOf] = methods<[Call<() => Selection | null>]>('Document', 'getSelection')
export const [removeAttribute] = methods<[Call<(name: string) => void>]>('Element', 'removeAttribute')
export const [createElement] = methods<[Call<(tag: string) => Element>]>('Document', 'createElement')
export const [appendChild] = methods<[Call<(child: Node) => void>]>('Node', 'appendChild')
export const [formElements] = unsure<[(form: object) => ArrayLike<Element>]>('HTMLFormElement', 'elements')
export const [stepUp] = methods<[Call<(by: number) => void>]>('HTMLInputElement', 'stepUp')
export const [hidePopover] = methods<[Call<() => void> | null]>('HTMLElement', 'hidePopover')
export const [closeDialog] = methods<[Call<() => void> | null]>('HTMLDialogElement', 'close')
export const assign = (href: string): void => location.assign(href)
export const [animations] = methods<[Call<() => Animation[]> | null]>('Document', 'getAnimations')
const [then] = methods<[(self: unknown, done: () => void, failed: () => void) => void]>('Promise', 'then')
const resolved: (promise: unknown) => unknown = Promise.resolve.bind(Promise)
/** calls `done` when a promise, or a thenable of a library, is fulfilled or rejected */
export const after = (promise: unknown, done: () => void): void => then(resolved(promise), done, done)
export const later: (work: () => void, ms: number) => void = globalThis.setTimeout.bind(globalThis)

// what `inspect` reads; agent-eyes.js has no inspect
export const [baseURI] = getters<[Get<string>]>('Node', 'baseURI')
export const [hasFocus] = methods<[Call<() => boolean>]>('Document', 'hasFocus')
const [buttonForm] = unsure<[Get<Element>]>('HTMLButtonElement', 'form')
/** the form of an input or a button */
export const formAround = (control: object): Element | null => formOf(control) ?? buttonForm(control) ?? null
