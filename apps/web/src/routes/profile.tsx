import { lazy, Suspense, useState, type FormEvent, type ReactNode } from 'react'
import { parties } from '@ergon/contract'
import { Button, LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { ReadFault } from '../components/read-fault.tsx'
import { SelectField, TextAreaField, TextField } from '../components/field.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Card, Loading } from '../components/surface.tsx'
import { useToast } from '../components/toast.tsx'
import { IdentityCard } from '../features/account/identity-card.tsx'
import { accountMessages } from '../features/account/messages.ts'
import { profileChanges, profileOf, type ProfileDraft } from '../features/account/profile-draft.ts'
import { Ratings } from '../features/people/ratings.tsx'
import { Figures, Scores } from '../features/people/scores.tsx'
import { peopleMessages } from '../features/people/messages.ts'
import { faultsOf, useDraft, type FieldFaults } from '../lib/form.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useChange, useRead } from '../lib/market.tsx'
import { useFaultTexts } from '../lib/use-fault-texts.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { wordMessages } from '../messages/words.ts'
import { useSession } from '../wallet/wallet.tsx'

const PictureCard = lazy(async () => ({ default: (await import('../features/account/picture-card.tsx')).PictureCard }))

/** The person as a worker: what others see, and the standing behind it. */
export function ProfileScreen(): ReactNode {
  const say = useMessages(accountMessages)
  const { wallet, workerId } = useSession()
  return (
    <Page
      title={say('profile')}
      lead={say('profileLead')}
      beside
      actions={
        typeof workerId === 'string' && (
          <LinkButton to="/people/$workerId" params={{ workerId }}>
            {say('publicPage')}
          </LinkButton>
        )
      }
    >
      {wallet === null && <SignedOut what={say('profileSignedOut')} />}
      {wallet === undefined && <SessionUnknown />}
      {typeof wallet === 'string' && (workerId === null ? <Register /> : <Own workerId={workerId} wallet={wallet} />)}
    </Page>
  )
}

/** A name and a kind; everything else can follow. */
function Register(): ReactNode {
  const say = useMessages(accountMessages)
  const words = useMessages(wordMessages)
  const tell = useToast()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<(typeof parties)[number]>('human')
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const register = useChange('workers.register', ['auth.readSession', 'workers.list', 'reputation.leaderboard'])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const input = { name: name.trim(), executor_type: kind }
    const found = faultsOf('workers.register', input)
    setFaults(found)
    if (Object.keys(found).length === 0)
      register.mutate(input, {
        onSuccess: () => {
          tell(say('registered'))
        },
      })
  }
  return (
    <Card>
      <form onSubmit={submit} noValidate className="grid gap-4">
        <h2>{say('register')}</h2>
        <p className="text-quiet">{say('registerLead')}</p>
        <TextField
          label={say('name')}
          value={name}
          error={faultOf('name')}
          onChange={({ target }) => {
            setName(target.value)
          }}
        />
        <SelectField
          label={say('kind')}
          value={kind}
          onChange={({ target }) => {
            setKind(parties.find((one) => one === target.value) ?? 'human')
          }}
        >
          {parties.map((one) => (
            <option key={one} value={one}>
              {words(`party.${one}`)}
            </option>
          ))}
        </SelectField>
        {register.error !== null && <Failure error={register.error} />}
        <div>
          <Button type="submit" kind="primary" busy={register.isPending}>
            {say('register')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Own({ workerId, wallet }: { readonly workerId: string; readonly wallet: string }): ReactNode {
  const people = useMessages(peopleMessages)
  const common = useMessages(commonMessages)
  const worker = useRead('workers.get', { executor_id: workerId })
  // The one read that tells its owner the whole profile.
  const kept = useRead('account.export', {}, { staleTime: 30_000 })
  const reputation = useRead('workers.reputation', { executor_id: workerId })
  if (worker.data === undefined)
    return worker.error === null ? <Loading says={common('loading')} /> : <ReadFault of={worker} />
  return (
    <>
      <Suspense fallback={<Loading says={common('loading')} rows={2} />}>
        <PictureCard worker={worker.data} />
      </Suspense>
      <Figures done={worker.data.tasks_completed} of={reputation.data} />
      {kept.data === undefined ? (
        kept.error === null ? (
          <Loading says={common('loading')} />
        ) : (
          <Failure
            error={kept.error}
            retry={() => {
              void kept.refetch()
            }}
          />
        )
      ) : (
        <ProfileForm workerId={workerId} known={profileOf(kept.data.profile)} />
      )}
      {reputation.error !== null && <Failure error={reputation.error} />}
      {reputation.data !== undefined && <Ratings title={people('ratings')} ratings={reputation.data.ratings} />}
      <IdentityCard wallet={wallet} agentId={worker.data.erc8004_agent_id} />
      {reputation.data !== undefined && <Scores of={reputation.data} />}
    </>
  )
}

const untouched: Partial<ProfileDraft> = {}

/** What is kept of the person, to be changed; a field that was not touched is not sent. */
function ProfileForm({ workerId, known }: { readonly workerId: string; readonly known: ProfileDraft }): ReactNode {
  const say = useMessages(accountMessages)
  const tell = useToast()
  const [typed, change, forget] = useDraft<Partial<ProfileDraft>>(`profile.${workerId}`, untouched)
  const draft = { ...known, ...typed }
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const update = useChange('workers.update', ['workers.get', 'workers.list', 'agents.directory', 'account.export'])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const input = { executor_id: workerId, ...profileChanges(known, draft) }
    const found = faultsOf('workers.update', input)
    setFaults(found)
    if (Object.keys(found).length === 0)
      update.mutate(input, {
        onSuccess: () => {
          forget()
          tell(say('saved'))
        },
      })
  }
  return (
    <Card>
      <form onSubmit={submit} noValidate className="grid gap-4">
        <TextField
          label={say('name')}
          value={draft.name}
          error={faultOf('name')}
          onChange={({ target }) => {
            change({ name: target.value })
          }}
        />
        <TextAreaField
          label={say('bio')}
          value={draft.bio}
          error={faultOf('bio')}
          onChange={({ target }) => {
            change({ bio: target.value })
          }}
        />
        <TextField
          label={say('capabilities')}
          hint={say('capabilitiesHint')}
          value={draft.able}
          error={faultOf('capabilities')}
          onChange={({ target }) => {
            change({ able: target.value })
          }}
        />
        <OtherServices
          link={draft.avatar}
          isOpen={known.avatar !== ''}
          fault={faultOf('avatar_url')}
          onChange={(avatar) => change({ avatar })}
        />
        {update.error !== null && <Failure error={update.error} />}
        <div>
          <Button type="submit" kind="primary" busy={update.isPending}>
            {say('save')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

type OtherProps = {
  readonly link: string
  readonly isOpen: boolean
  readonly fault: string | undefined
  readonly onChange: (link: string) => void
}

/** What only other services read; here the picture above is shown. */
function OtherServices({ link, isOpen, fault, onChange }: OtherProps): ReactNode {
  const say = useMessages(accountMessages)
  return (
    <details open={isOpen || fault !== undefined}>
      <summary className="link min-h-11 cursor-pointer content-center">{say('forOthers')}</summary>
      <div className="pt-3">
        <TextField
          label={say('avatar')}
          inputMode="url"
          value={link}
          error={fault}
          onChange={({ target }) => {
            onChange(target.value)
          }}
        />
      </div>
    </details>
  )
}
