import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { StudioSettings } from '../../../../src/wire/studio-api.ts'
import { api } from '../api/client.ts'

export type Preferences = Pick<StudioSettings, 'language' | 'theme'>

const key = 'pagehand-preferences'
const defaults: Preferences = { language: 'auto', theme: 'system' }

// kept in this browser too, so that the first paint already has the right colors and language
const stored = (): Preferences => {
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(key) ?? '{}') }
  } catch {
    return defaults
  }
}
let preferences = stored()
const listeners = new Set<() => void>()
const dark = matchMedia('(prefers-color-scheme: dark)')

export const applyTheme = () => {
  const isDark = preferences.theme === 'dark' || (preferences.theme === 'system' && dark.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}
dark.addEventListener('change', applyTheme)

export const setPreferences = (changes: Partial<Preferences>) => {
  preferences = { ...preferences, ...changes }
  localStorage.setItem(key, JSON.stringify(preferences))
  applyTheme()
  for (const listener of listeners) listener()
}

export const usePreferences = (): Preferences =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => preferences,
  )

/** Follows the settings of the server, which another window may have changed. */
export const useSyncedPreferences = () => {
  const { data } = useQuery(api.settings.get.queryOptions())
  useEffect(() => {
    if (data !== undefined) setPreferences({ language: data.language, theme: data.theme })
  }, [data])
}
