import type { ReactNode } from 'react'
import { TextAreaField, TextField } from '../../components/field.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { isActorSendable } from './actor.ts'
import { operatorFormMessages } from './operator-form-messages.ts'

type ReasonProps = {
  readonly reason: string
  readonly onReason: (reason: string) => void
  readonly error: string | undefined
  readonly actor: string
  readonly onActor: (actor: string) => void
}

/** Why it is done and who does it, as the audit log will say. */
export function ReasonFields({ reason, onReason, error, actor, onActor }: ReasonProps): ReactNode {
  const say = useMessages(operatorFormMessages)
  return (
    <>
      <TextAreaField
        label={say('reason')}
        hint={say('reasonHint')}
        error={error}
        required
        rows={3}
        value={reason}
        onChange={({ target }) => {
          onReason(target.value)
        }}
      />
      <TextField
        label={say('actor')}
        hint={say('actorHint')}
        error={isActorSendable(actor) ? undefined : say('actorBad')}
        autoComplete="name"
        value={actor}
        onChange={({ target }) => {
          onActor(target.value)
        }}
      />
    </>
  )
}
