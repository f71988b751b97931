import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { en, type Messages } from './en.ts'
import { zhCN } from './zh-CN.ts'

export type Language = 'en' | 'zh-CN'
export type LanguageChoice = 'auto' | Language

const languages: { readonly [language in Language]: Messages } = { en, 'zh-CN': zhCN }

/** The language for a choice: `auto` follows the browser. */
const languageOf = (choice: LanguageChoice): Language => {
  if (choice !== 'auto') return choice
  const first = navigator.languages.map(each => each.toLowerCase()).find(each => each.startsWith('zh') || each.startsWith('en'))
  return first?.startsWith('zh') === true ? 'zh-CN' : 'en'
}

interface LanguageContext {
  readonly language: Language
  readonly messages: Messages
}
const Context = createContext<LanguageContext>({ language: 'en', messages: en })

export const LanguageProvider = ({ choice, children }: { choice: LanguageChoice; children: ReactNode }) => {
  const language = languageOf(choice)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return <Context value={{ language, messages: languages[language] }}>{children}</Context>
}

/** The texts in the language of the page. */
export const useMessages = (): Messages => useContext(Context).messages
export const useLanguage = (): Language => useContext(Context).language
