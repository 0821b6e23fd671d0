import type { ReactNode } from 'react'
import { evidenceContentTypes, fileKinds } from '@ergon/contract/facts'

const endings: readonly string[] = evidenceContentTypes
  .filter((type) => type.startsWith('video/'))
  .flatMap((type) => fileKinds[type].endings.map((ending) => `.${ending}`))

/** Whether a link leads to a film: files are named by the kind that the service has found them to be. */
export function isFilmLink(link: string): boolean {
  const path = URL.parse(link, location.origin)?.pathname ?? ''
  return endings.some((ending) => path.endsWith(ending))
}

type FilmProps = { readonly address: string; readonly title: string; readonly onFault?: () => void }

/** A film in the page, its first picture shown before it plays: a phone draws none unless a moment is named. */
export function Film({ address, title, onFault }: FilmProps): ReactNode {
  return (
    <video
      key={address}
      src={`${address}#t=0.001`}
      controls
      playsInline
      preload="metadata"
      aria-label={title}
      onError={onFault}
      className="max-h-96 w-full rounded-lg bg-sunken object-contain"
    />
  )
}
