import { onDevice } from './kept.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'ergon.theme'

export function readTheme(): Theme {
  const kept = onDevice.read(storageKey)
  return themes.find((one) => one === kept) ?? 'system'
}

/** Shows a theme and keeps it. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  if (readTheme() !== theme) onDevice.keep(storageKey, theme)
}
