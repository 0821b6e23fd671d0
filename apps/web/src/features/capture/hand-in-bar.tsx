import type { ReactNode } from 'react'
import type { EvidenceType } from '@ergon/contract'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { wordMessages } from '../../messages/words.ts'
import { captureMessages } from './messages.ts'

export type Asked = { readonly type: EvidenceType; readonly isReady: boolean }

/** All that is asked for, with what is done already; each leads to where it is given. */
export function Asks({ asked }: { readonly asked: readonly Asked[] }): ReactNode {
  const say = useMessages(captureMessages)
  const words = useMessages(wordMessages)
  return (
    <nav aria-label={say('asks')}>
      <ul className="flex flex-wrap gap-2">
        {asked.map(({ type, isReady }) => (
          <li key={type}>
            <a
              href={`#evidence.${type}`}
              className="chip"
              onClick={(event) => {
                event.preventDefault()
                const step = document.getElementById(`evidence.${type}`)
                step?.scrollIntoView({ block: 'start' })
                step?.focus({ preventScroll: true })
              }}
            >
              <Icon
                name={isReady ? 'check-circle-fill' : 'circle-half-bold'}
                className={isReady ? 'text-good' : 'text-quiet'}
              />
              {words(`evidence.${type}`)}
              <span className="visually-hidden">: {say(isReady ? 'ready' : 'missing')}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type BarProps = { readonly asked: readonly Asked[]; readonly busy: boolean; readonly send: () => void }

/** Handing in, and beside it what is still missing. */
export function HandInBar({ asked, busy, send }: BarProps): ReactNode {
  const say = useMessages(captureMessages)
  const left = asked.filter(({ isReady }) => !isReady).length
  return (
    <div className="action-bar flex items-center gap-4">
      <p role="status" className="flex-1 text-sm text-quiet wide:order-2">
        {left === 0 ? say('allReady') : say('left', { n: left })}
      </p>
      <Button kind={left === 0 ? 'primary' : 'secondary'} busy={busy} className="min-w-40" onClick={send}>
        {say('send')}
      </Button>
    </div>
  )
}
