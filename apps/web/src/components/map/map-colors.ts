export const mapTones = ['brand', 'good', 'warn', 'bad'] as const
export type MapTone = (typeof mapTones)[number]

/** What each colour of the map is called among the tokens of the page. */
const tokens = {
  water: 'map-water',
  land: 'map-land',
  park: 'map-park',
  built: 'map-built',
  building: 'map-building',
  street: 'map-street',
  casing: 'map-casing',
  coast: 'map-coast',
  border: 'map-border',
  label: 'quiet',
  ink: 'ink',
  brand: 'brand',
  good: 'good',
  warn: 'warn',
  bad: 'bad',
} as const satisfies Readonly<Record<string, string>>
export type MapColors = Readonly<Record<keyof typeof tokens, string>>

/** The colours of the page as a canvas understands them: an element works out what a token comes to in this theme. */
export function readMapColors(inside: HTMLElement): MapColors {
  const probe = inside.ownerDocument.createElement('span')
  inside.append(probe)
  const colors = Object.fromEntries(
    Object.entries(tokens).map(([name, token]) => {
      probe.style.color = `var(--color-${token})`
      return [name, getComputedStyle(probe).color]
    }),
  )
  probe.remove()
  return colors as MapColors // the names of the table above
}

/** Tells when light turns to dark or back, by the system or by choice. */
export function watchTheme(onChange: () => void): () => void {
  const preference = matchMedia('(prefers-color-scheme: dark)')
  const chosen = new MutationObserver(onChange)
  preference.addEventListener('change', onChange)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    preference.removeEventListener('change', onChange)
    chosen.disconnect()
  }
}
