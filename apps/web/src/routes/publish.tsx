import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { InSlices } from '../components/in-slices.tsx'
import { Page } from '../components/page.tsx'
import { Note } from '../components/surface.tsx'
import { useToast } from '../components/toast.tsx'
import {
  emptyDraft,
  placeFields,
  publishFields,
  publishInput,
  templates,
  type TaskDraft,
  type Template,
} from '../features/publish/draft.ts'
import { DryRun } from '../features/publish/dry-run.tsx'
import { publishMessages } from '../features/publish/messages.ts'
import { PayoutPreview } from '../features/publish/payout-preview.tsx'
import { SellNote } from '../features/publish/sell-note.tsx'
import { MoneyPart, PlacePart, ProofPart, WorkPart } from '../features/publish/task-form.tsx'
import { limits } from '@ergon/contract'
import { faultsSaid, type FieldFaults } from '../lib/field-faults.ts'
import { useDraft } from '../lib/use-draft.ts'
import { useMessages, useSpeech } from '../lib/i18n.tsx'
import { useChange, useRead } from '../lib/market.tsx'
import { useFaultTexts } from '../lib/use-fault-texts.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

// Any id: the place is checked against its rules before there is a task.
const someTask = '00000000-0000-4000-8000-000000000000'

/** Everything a task needs, checked against the operation's own schema while nothing is sent. */
export function PublishScreen(): ReactNode {
  const say = useMessages(publishMessages)
  const { language, locale } = useSpeech()
  const { wallet } = useSession()
  const [draft, change, forget] = useDraft<TaskDraft>('publish', emptyDraft)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const [checked, setChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const send = usePublish(forget)
  const networks = useRead('payments.networks', {}, { staleTime: 600_000 })

  const fields = publishFields(draft, language, locale)
  const place = placeFields(draft, locale)
  const check = async (): Promise<boolean> => {
    const { faultsOf } = await import('../lib/form.ts')
    const found = {
      ...faultsOf('h2a.publish', fields),
      ...(place === undefined ? {} : faultsOf('tasks.setLocation', { task_id: someTask, ...place })),
    }
    show(found)
    setChecked(Object.keys(found).length === 0)
    return Object.keys(found).length === 0
  }
  const show = (found: FieldFaults): void => {
    // The errors are in the page before the focus goes to the first of them.
    flushSync(() => {
      setFaults(found)
    })
    if (Object.keys(found).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset[aria-describedby$="-error"]')?.focus()
  }
  const publish = (event: FormEvent): void => {
    event.preventDefault()
    void check().then((isSound) => {
      if (isSound)
        send.publish(fields, place, (error) => {
          show(faultsSaid(error))
        })
    })
  }
  const edit = (part: Partial<TaskDraft>): void => {
    if (part.insists === undefined) setChecked(false)
    change(part)
  }
  const bounty = fields['bounty_usd']
  const hours = fields['deadline_hours']
  const bountyUsd =
    typeof bounty === 'number' && bounty >= limits.bountyMinUsd && bounty <= limits.bountyMaxUsd ? bounty : undefined
  const part = { draft, change: edit, faultOf }
  return (
    <Page title={say('title')} lead={say('lead')} wide>
      <InSlices>
        <Templates use={(template) => edit(filled(template, say))} />
        <form ref={form} noValidate onSubmit={publish} className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
          <div className="grid gap-6">
            <WorkPart {...part} />
            <ProofPart {...part} />
            <PlacePart {...part} />
            <MoneyPart {...part} />
          </div>
          <div className="grid gap-4 lg:sticky lg:top-20">
            <PayoutPreview bountyUsd={bountyUsd} />
            {Object.keys(faults).length > 0 && (
              <Note tone="bad" role="alert" title={say('faults', { n: Object.keys(faults).length })} />
            )}
            {checked && typeof wallet === 'string' && bountyUsd !== undefined && typeof hours === 'number' && (
              <DryRun
                wallet={wallet}
                bountyUsd={bountyUsd}
                hours={hours}
                network={draft.network === '' ? (networks.data?.preferred ?? '') : draft.network}
              />
            )}
            {(checked || send.error !== null) && <SellNote {...part} />}
            {send.error !== null && <Failure error={send.error} />}
            {wallet === null ? (
              <SignInFirst />
            ) : (
              <Button kind="primary" type="submit" busy={send.busy}>
                {say('publish')}
              </Button>
            )}
            <Button
              onClick={() => {
                void check()
              }}
            >
              {say('check')}
            </Button>
            <Button kind="quiet" onClick={forget}>
              {say('forget')}
            </Button>
            <p className="text-sm text-quiet">{say('kept')}</p>
          </div>
        </form>
      </InSlices>
    </Page>
  )
}

/** Publishes, then says where; a task whose place could not be saved is still shown, with what is missing. */
function usePublish(forget: () => void): {
  readonly publish: (
    fields: Readonly<Record<string, unknown>>,
    place: Readonly<Record<string, unknown>> | undefined,
    refused: (error: unknown) => void,
  ) => void
  readonly busy: boolean
  readonly error: unknown
} {
  const say = useMessages(publishMessages)
  const navigate = useNavigate()
  const tell = useToast()
  const task = useChange('h2a.publish', ['h2a.list', 'tasks.list', 'tasks.available'])
  const location = useChange('tasks.setLocation', ['tasks.get'])
  const policy = useChange('tasks.setPolicy', ['tasks.get'])
  return {
    busy: task.isPending || policy.isPending || location.isPending,
    error: task.error,
    publish(fields, place, refused) {
      task.mutateAsync(publishInput(fields)).then(async ({ id }) => {
        // Whoever applied in between counts on the task as it was.
        await policy.mutateAsync({ task_id: id }).catch(() => undefined)
        if (place !== undefined)
          await location.mutateAsync({ task_id: id, ...(place as { lat: number; lng: number }) }).catch(() => {
            tell(say('placeFailed'))
          })
        forget()
        tell(say('published'))
        await navigate({ to: '/my/tasks/$taskId', params: { taskId: id } })
      }, refused)
    },
  }
}

function SignInFirst(): ReactNode {
  const say = useMessages(publishMessages)
  const common = useMessages(commonMessages)
  return (
    <Note tone="move" title={say('notSigned')}>
      <div className="mt-1">
        <LinkButton to="/sign-in" search={{ then: '/publish' }} kind="primary">
          {common('signIn')}
        </LinkButton>
      </div>
    </Note>
  )
}

function Templates({ use }: { readonly use: (template: Template) => void }): ReactNode {
  const say = useMessages(publishMessages)
  return (
    <section aria-labelledby="templates" className="grid gap-2">
      <h2 id="templates" className="text-base">
        {say('templates')}
      </h2>
      <div className="flex flex-wrap gap-2">
        {templates.map((template) => (
          <Button key={template.key} onClick={() => use(template)}>
            {say(`template.${template.key}`)}
          </Button>
        ))}
      </div>
    </section>
  )
}

function filled(
  { key, part }: Template,
  say: (key: `text.${Template['key']}.${'title' | 'instructions' | 'criteria'}`) => string,
): Partial<TaskDraft> {
  return {
    ...emptyDraft,
    ...part,
    title: say(`text.${key}.title`),
    instructions: say(`text.${key}.instructions`),
    criteria: say(`text.${key}.criteria`).split('\n'),
  }
}
