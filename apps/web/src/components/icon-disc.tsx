import type { ReactNode } from 'react'
import type { IconName } from './icon-names.ts'
import { Icon } from './icon.tsx'

/** Colour is for what went well or wrong, or waits, and for what leads on; most things have none. */
const tones = {
  plain: 'bg-sunken text-quiet',
  brand: 'bg-brand-soft text-brand',
  good: 'bg-good-soft text-good',
  move: 'bg-move-soft text-move',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
} as const
export type DiscTone = keyof typeof tones

/** What a row or a tile is about, in a soft circle; the words beside it say it too. */
export function IconDisc({ icon, tone = 'plain' }: { readonly icon: IconName; readonly tone?: DiscTone }): ReactNode {
  return (
    <span aria-hidden="true" className={`grid size-10 flex-none place-items-center rounded-full ${tones[tone]}`}>
      <Icon name={icon} className="text-[1.25rem]" />
    </span>
  )
}
