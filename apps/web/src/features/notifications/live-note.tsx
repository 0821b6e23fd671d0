import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Badge, type Tone } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useLive } from '../../lib/live.tsx'
import { notificationsMessages } from './messages.ts'

const tones = { live: 'good', connecting: 'plain', lost: 'warn', ended: 'warn' } as const satisfies Record<string, Tone>

/** Whether this page hears what happens, and a way to try again where it does not try by itself. */
export function LiveNote({ wallet }: { readonly wallet: string }): ReactNode {
  const say = useMessages(notificationsMessages)
  const { state, again } = useLive(wallet)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p role="status">
        <Badge tone={tones[state]}>{say(state)}</Badge>
      </p>
      {state === 'ended' && <Button onClick={again}>{say('again')}</Button>}
    </div>
  )
}
