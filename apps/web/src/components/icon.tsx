import type { ReactNode } from 'react'
import type { IconName } from './icon-names.ts'
import { iconsUrl } from './icons-url.ts'

/** A drawing beside a word; it says nothing to readers. */
export function Icon({ name, className = '' }: { readonly name: IconName; readonly className?: string }): ReactNode {
  return (
    <svg aria-hidden="true" className={`icon ${className}`}>
      <use href={`${iconsUrl}#${name}`} />
    </svg>
  )
}
