import { useState, type ReactNode } from 'react'
import { isMailAddress, newsKinds, type NewsKind } from '@ergon/contract/facts'
import type { Output } from '@ergon/sdk'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/field.tsx'
import { Loading, Note } from '../../../components/surface.tsx'
import { useToast } from '../../../components/toast.tsx'
import { useMessages, useSpeech } from '../../../lib/i18n.tsx'
import { useChange, useRead } from '../../../lib/market.tsx'
import { commonMessages } from '../../../messages/common-messages.ts'
import { KindsChoice } from '../kinds-choice.tsx'
import { mailMessages } from './messages.ts'

type Subscription = NonNullable<Output<'mail.read'>['mail']>

/** Where a person's notices are mailed to; nothing where the deployment sends no mail. */
export function MailCard(): ReactNode {
  const say = useMessages(mailMessages)
  const { data: config, error } = useRead('service.config', {}, { staleTime: 600_000 })
  // What could not be read is not what the deployment lacks.
  if (config === undefined && error !== null) return <Failure error={error} />
  if (config?.features.mail !== true) return null
  return (
    <section aria-labelledby="by-mail" className="card grid gap-4">
      <div className="grid gap-1">
        <h2 id="by-mail">{say('title')}</h2>
        <p className="text-sm text-quiet">{say('lead')}</p>
      </div>
      <Mailbox />
    </section>
  )
}

function Mailbox(): ReactNode {
  const common = useMessages(commonMessages)
  const { data, error } = useRead('mail.read', {})
  if (data === undefined)
    return error === null ? <Loading says={common('loading')} rows={2} /> : <Failure error={error} />
  return <MailForm key={`${data.mail?.address ?? ''} ${data.mail?.state ?? ''}`} known={data.mail} />
}

function MailForm({ known }: { readonly known: Subscription | null }): ReactNode {
  const say = useMessages(mailMessages)
  const tell = useToast()
  const { language } = useSpeech()
  const [address, write] = useState(known?.address ?? '')
  const [chosen, choose] = useState<readonly NewsKind[]>(known?.kinds ?? newsKinds)
  const [isWrong, setWrong] = useState(false)
  const subscribe = useChange('mail.subscribe', ['mail.read'])
  const isConfirmed = known?.state === 'on' && known.address === address.trim()
  const submit = (): void => {
    const given = address.trim()
    const isAddress = isMailAddress(given)
    setWrong(!isAddress)
    if (!isAddress) return
    subscribe.mutate(
      { address: given, kinds: [...chosen], language },
      { onSuccess: ({ state }) => tell(say(state === 'on' ? 'saved' : 'sent')) },
    )
  }
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {known !== null && <StateNote known={known} />}
      <TextField
        type="email"
        autoComplete="email"
        label={say('address')}
        hint={say('addressHint')}
        error={isWrong ? say('addressWrong') : undefined}
        value={address}
        onChange={({ target }) => {
          write(target.value)
        }}
      />
      <KindsChoice chosen={chosen} choose={choose} />
      {subscribe.error !== null && <Failure error={subscribe.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" busy={subscribe.isPending} disabled={chosen.length === 0}>
          {say(isConfirmed ? 'save' : 'turnOn')}
        </Button>
        {known !== null && <Stop />}
      </div>
    </form>
  )
}

function StateNote({ known }: { readonly known: Subscription }): ReactNode {
  const say = useMessages(mailMessages)
  const { address, state } = known
  if (state === 'on') return <Note tone="good" title={say('isOn', { address })} />
  return (
    <Note tone="warn" title={say('waiting')}>
      <p className="wrap-anywhere">{say('waitingHelp', { address })}</p>
    </Note>
  )
}

function Stop(): ReactNode {
  const say = useMessages(mailMessages)
  const tell = useToast()
  const remove = useChange('mail.remove', ['mail.read'])
  return (
    <>
      <Button
        busy={remove.isPending}
        onClick={() => {
          remove.mutate({}, { onSuccess: () => tell(say('stopped')) })
        }}
      >
        {say('stop')}
      </Button>
      {remove.error !== null && <Failure error={remove.error} />}
    </>
  )
}
