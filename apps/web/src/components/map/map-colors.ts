export const mapTones = ['brand', 'good', 'warn', 'bad'] as const
export type MapTone = (typeof mapTones)[number]
export type MapColors = Readonly<Record<'sea' | 'land' | 'border' | 'label' | MapTone, string>>

const tokens: Readonly<Record<keyof MapColors, string>> = {
  sea: 'sunken',
  land: 'surface',
  border: 'edge',
  label: 'quiet',
  brand: 'brand',
  good: 'good',
  warn: 'warn',
  bad: 'bad',
}

/** The colours of the page as a canvas understands them: an element works out what a token comes to in this theme. */
export function readMapColors(inside: HTMLElement): MapColors {
  const probe = inside.ownerDocument.createElement('span')
  inside.append(probe)
  const read = (token: string): string => {
    probe.style.color = `var(--color-${token})`
    return getComputedStyle(probe).color
  }
  const { sea, land, border, label, brand, good, warn, bad } = tokens
  const colors = {
    sea: read(sea),
    land: read(land),
    border: read(border),
    label: read(label),
    brand: read(brand),
    good: read(good),
    warn: read(warn),
    bad: read(bad),
  }
  probe.remove()
  return colors
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
