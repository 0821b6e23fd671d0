import type { ReactNode } from 'react'

/** Whose data it is, as text and nothing else; its licence asks for a link where OpenStreetMap is named. */
export function OsmName({ text }: { readonly text: string }): ReactNode {
  const name = 'OpenStreetMap'
  const at = text.indexOf(name)
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer noopener" className="link">
        {name}
      </a>
      {text.slice(at + name.length)}
    </>
  )
}
