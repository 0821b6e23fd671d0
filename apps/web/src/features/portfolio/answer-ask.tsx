import { useState, type ReactNode } from 'react'
import { Button, LinkButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { Card, Note } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import type { Piece } from './ask-to-show.tsx'
import { portfolioMessages } from './messages.ts'
import { WorkCard } from './work-card.tsx'

/** The publisher's side: what would be public, to allow or to decline; what is, to take off. */
export function AnswerAsk({ piece }: { readonly piece: Piece }): ReactNode {
  const say = useMessages(portfolioMessages)
  if (piece.state === 'asked') return <Question piece={piece} />
  if (piece.state === 'allowed') return <Shown piece={piece} />
  return piece.state === 'declined' ? <p className="text-sm text-quiet">{say('youDeclined')}</p> : null
}

function Question({ piece }: { readonly piece: Piece }): ReactNode {
  const say = useMessages(portfolioMessages)
  const answer = useChange('portfolio.answer', ['portfolio.read', 'portfolio.list'])
  const give = (allow: boolean): void => {
    answer.mutate({ task_id: piece.task_id, allow })
  }
  return (
    <Card as="section" className="grid gap-4">
      <h2>{say('question')}</h2>
      <p className="text-quiet">{say('questionSays')}</p>
      {piece.work !== null && (
        <div className="max-w-sm">
          <WorkCard work={piece.work} />
        </div>
      )}
      {answer.error !== null && <Failure error={answer.error} />}
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" busy={answer.isPending} onClick={() => give(true)}>
          {say('allow')}
        </Button>
        <Button busy={answer.isPending} onClick={() => give(false)}>
          {say('decline')}
        </Button>
      </div>
      <p className="text-sm text-quiet">{say('declineHint')}</p>
    </Card>
  )
}

function Shown({ piece }: { readonly piece: Piece }): ReactNode {
  const say = useMessages(portfolioMessages)
  const common = useMessages(commonMessages)
  const tell = useToast()
  const [isAsked, setAsked] = useState(false)
  const takeOff = useChange('portfolio.takeBack', ['portfolio.read', 'portfolio.list'])
  return (
    <Note tone="good" title={say('allowed')}>
      <div className="flex flex-wrap gap-2 pt-2">
        {piece.executor_id !== null && (
          <LinkButton to="/people/$workerId" params={{ workerId: piece.executor_id }}>
            {say('see')}
          </LinkButton>
        )}
        <Button onClick={() => setAsked(true)}>{say('takeOff')}</Button>
      </div>
      <Dialog open={isAsked} title={say('sure')} onClose={() => setAsked(false)}>
        <div className="grid gap-4">
          <p>{say('sureSays')}</p>
          {takeOff.error !== null && <Failure error={takeOff.error} />}
          <div className="flex flex-wrap justify-end gap-3">
            <Button onClick={() => setAsked(false)}>{common('cancel')}</Button>
            <Button
              kind="primary"
              busy={takeOff.isPending}
              onClick={() => {
                takeOff.mutate({ task_id: piece.task_id }, { onSuccess: () => tell(say('takenBack')) })
              }}
            >
              {say('takeOff')}
            </Button>
          </div>
        </div>
      </Dialog>
    </Note>
  )
}
