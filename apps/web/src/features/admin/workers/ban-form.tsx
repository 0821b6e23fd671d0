import { useState, type FormEvent, type ReactNode } from 'react'
import { FormEnd } from '../../../components/form-end.tsx'
import { Failure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/field.tsx'
import { Note } from '../../../components/surface.tsx'
import { useToast } from '../../../components/toast.tsx'
import { faultsOf, faultsSaid, useDraft, type FieldFaults } from '../../../lib/form.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { useOperatorChange } from '../../../lib/operator.tsx'
import { focusFault } from '../../../lib/show-faults.ts'
import { useFaultTexts } from '../../../lib/use-fault-texts.ts'
import { actorInput, isActorSendable, useActor } from '../actor.ts'
import { ReasonFields } from '../reason-fields.tsx'
import { adminWorkerMessages } from './messages.ts'

type FormProps = {
  /** The wallet, where the service knows it; otherwise it is typed, beginning with `typed`. */
  readonly wallet: string | undefined
  readonly typed: string
  readonly banned: boolean
  readonly onClose: () => void
}

/** Why, by whom, and what it does; a ban holds until it is lifted (decision 0057). */
export function BanForm({ wallet, typed, banned, onClose }: FormProps): ReactNode {
  // What was opened to ban does not turn into lifting it while the answer is on its way.
  const [isBanned] = useState(banned)
  const say = useMessages(adminWorkerMessages)
  const tell = useToast()
  const [draft, change, forget] = useDraft(`${isBanned ? 'lift' : 'ban'}.${wallet ?? 'new'}`, {
    wallet: '',
    reason: '',
  })
  const [actor, typeActor] = useActor()
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const ban = useOperatorChange('admin.ban', [
    'reputation.leaderboard',
    'tasks.available',
    'listings.browse',
    'workers.get',
    'reputation.agent',
  ])
  const named = draft.wallet === '' ? typed : draft.wallet
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const show = (found: FieldFaults): void => {
      setFaults(found)
      focusFault(form)
    }
    const input = {
      executor_id: wallet ?? named.trim(),
      banned: !isBanned,
      reason: draft.reason.trim(),
      ...actorInput(actor),
    }
    const found = faultsOf('admin.ban', input)
    show(found)
    if (Object.keys(found).length > 0 || !isActorSendable(actor)) return
    ban.mutateAsync(input).then(
      () => {
        forget()
        tell(say(isBanned ? 'didLift' : 'didBan'))
        onClose()
      },
      (error: unknown) => {
        show(faultsSaid(error))
      },
    )
  }
  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <BanSays isBanned={isBanned} />
      <WalletTyped wallet={wallet} faults={faults} named={named} change={change} />
      <ReasonFields
        reason={draft.reason}
        onReason={(reason) => change({ reason })}
        error={faultOf('reason')}
        actor={actor}
        onActor={typeActor}
      />
      {ban.error !== null && <Failure error={ban.error} />}
      <FormEnd onCancel={onClose} kind={isBanned ? 'primary' : 'danger'} busy={ban.isPending}>
        {say(isBanned ? 'doLift' : 'doBan')}
      </FormEnd>
    </form>
  )
}

type BanSaysProps = {
  readonly isBanned: boolean
}

/** What a ban does, or what lifting it does. */
function BanSays({ isBanned }: BanSaysProps): ReactNode {
  const say = useMessages(adminWorkerMessages)
  return (
    <>
      {isBanned ? (
        <Note tone="move">
          <p>{say('liftSays')}</p>
        </Note>
      ) : (
        <Note tone="warn">
          <p>{say('banSays')}</p>
          <p>{say('banMoney')}</p>
        </Note>
      )}
    </>
  )
}

type WalletTypedProps = {
  readonly wallet: string | undefined
  readonly faults: FieldFaults
  readonly named: string
  readonly change: (part: Partial<{ wallet: string; reason: string }>) => void
}

function WalletTyped({ wallet, faults, named, change }: WalletTypedProps): ReactNode {
  const say = useMessages(adminWorkerMessages)
  return (
    <>
      {wallet === undefined && (
        <TextField
          label={say('walletField')}
          hint={say('walletHint')}
          error={faults['executor_id'] === undefined ? undefined : say('walletBad')}
          required
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          value={named}
          onChange={({ target }) => change({ wallet: target.value })}
        />
      )}
    </>
  )
}
