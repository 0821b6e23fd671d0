export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'ergon.theme'

export function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(storageKey)
    return themes.find((one) => one === kept) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Shows a theme and keeps it. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // Shown as long as the page is open.
  }
}
