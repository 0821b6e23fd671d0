import type { ReactNode } from 'react'
import type { SceneName } from '../art/scene-of.ts'
import scenesUrl from '../art/scenes.svg'

/** A flat picture in the colours of the theme. It carries no meaning that words do not. */
export function Scene({ name, className = '' }: { readonly name: SceneName; readonly className?: string }): ReactNode {
  return (
    <svg aria-hidden="true" className={`scene ${className}`}>
      <use href={`${scenesUrl}#${name}`} />
    </svg>
  )
}

/** The same as a banner, however wide: the subject whole in the middle, ground and sky run on. */
export function SceneBanner({ name, className = '' }: Parameters<typeof Scene>[0]): ReactNode {
  return (
    <svg aria-hidden="true" viewBox="0 8 320 160" className={`scene ${className}`}>
      <use href={`${scenesUrl}#${name}`} width="320" height="200" />
    </svg>
  )
}
