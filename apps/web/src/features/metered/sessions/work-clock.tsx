import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Card } from '../../../components/surface.tsx'
import { useMessages } from '../../../lib/i18n.tsx'
import { useChange, useRead } from '../../../lib/market.tsx'
import { sessionMessages } from './session-messages.ts'
import type { Session } from './session-list.tsx'

/** So often time is accepted: one unit at most counts at once, and what lies open when the page closes is lost. */
const everyMs: Partial<Record<Session['unit'], number>> = { second: 950, minute: 20_000, hour: 60_000 }

/** While it runs, the page of the worker has its time accepted; it is off until the worker starts it. */
export function WorkClock({ session }: { readonly session: Session }): ReactNode {
  const say = useMessages(sessionMessages)
  const { session_id, unit } = session
  const { data: channel, error: unread } = useRead('meters.channel', { task_id: session_id })
  const [isRunning, setRunning] = useState(false)
  const { mutateAsync, error } = useChange('streams.tick')
  const isAsking = useRef(false)
  useEffect(() => {
    if (!isRunning) return undefined
    const tick = (): void => {
      if (isAsking.current) return
      isAsking.current = true
      // Each is a tick of its own, although it says the same.
      mutateAsync({ session_id, evidence: { clock: 'app' }, client_ref: crypto.randomUUID() })
        .catch(() => {
          setRunning(false)
        })
        .finally(() => {
          isAsking.current = false
        })
    }
    const timer = setInterval(tick, everyMs[unit] ?? 20_000)
    tick()
    return () => {
      clearInterval(timer)
    }
  }, [isRunning, mutateAsync, session_id, unit])
  if (channel === undefined) return unread === null ? null : <Failure error={unread} />
  return (
    <Card className="grid gap-3">
      <h2>{say('clock')}</h2>
      {channel.voucher_signer === 'client' ? (
        <p className="text-quiet">{say('clockTheirs')}</p>
      ) : (
        <>
          <p className="text-quiet">{say('clockHelp')}</p>
          <p role="status" className="empty:hidden">
            {isRunning && say('clockRuns')}
          </p>
          {error !== null && <Failure error={error} />}
          <div>
            <Button
              kind={isRunning ? 'secondary' : 'primary'}
              onClick={() => {
                setRunning(!isRunning)
              }}
            >
              {say(isRunning ? 'clockStop' : 'clockStart')}
            </Button>
          </div>
        </>
      )}
    </Card>
  )
}
