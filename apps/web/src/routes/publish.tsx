import { lazy, Suspense, useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { limits } from '@ergon/contract'
import { Button, LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { InSlices } from '../components/in-slices.tsx'
import { Page } from '../components/page.tsx'
import { Loading, Note } from '../components/surface.tsx'
import { emptyDraft, placeFields, publishFields, type TaskDraft } from '../features/publish/draft.ts'
import { publishMessages } from '../features/publish/messages.ts'
import { PreviewCard } from '../features/publish/preview-card.tsx'
import { StepEnd, StepProgress } from '../features/publish/step-bar.tsx'
import { faultsUpTo, firstToMend, stepNamed, steps, type PublishStep } from '../features/publish/steps.ts'
import { usePublish } from '../features/publish/use-publish.ts'
import { WhatStep } from '../features/publish/what-step.tsx'
import { faultsSaid, type FieldFaults } from '../lib/field-faults.ts'
import { useMessages, useSpeech } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { useIsKeeping } from '../lib/use-is-keeping.ts'
import { useDraft } from '../lib/use-draft.ts'
import { useFaultTexts } from '../lib/use-fault-texts.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

const laterSteps = () => import('../features/publish/later-steps.ts')
const ProofStep = lazy(async () => ({ default: (await laterSteps()).ProofStep }))
const MoneyStep = lazy(async () => ({ default: (await laterSteps()).MoneyStep }))
const CheckStep = lazy(async () => ({ default: (await laterSteps()).CheckStep }))
const DryRun = lazy(async () => ({ default: (await laterSteps()).DryRun }))
const SellNote = lazy(async () => ({ default: (await laterSteps()).SellNote }))

const route = getRouteApi('/publish')
// Any id: the place is checked against its rules before there is a task.
const someTask = '00000000-0000-4000-8000-000000000000'

/** A task in four steps: what, proof, money, and a look at the whole. What is typed is kept until it is published. */
export function PublishScreen(): ReactNode {
  const say = useMessages(publishMessages)
  const step = stepNamed(route.useSearch()['step'])
  useFocusOnStep(step)
  return (
    <Page title={say(`title.${step}`)} lead={say(`lead.${step}`)} wide before={<Progress />}>
      <InSlices>
        <PublishForm step={step} />
      </InSlices>
    </Page>
  )
}

function useGo(): (step: PublishStep) => void {
  const navigate = useNavigate()
  return (step) => {
    void navigate({ to: '/publish', search: step === 'what' ? {} : { step } })
  }
}

function Progress(): ReactNode {
  const go = useGo()
  return <StepProgress step={stepNamed(route.useSearch()['step'])} go={go} />
}

/** Whoever comes to a step begins at its heading, as on a page of its own. */
function useFocusOnStep(step: PublishStep): void {
  const last = useRef(step)
  useEffect(() => {
    if (last.current === step) return
    last.current = step
    // What is to be mended on this step has been given the focus already.
    if (document.activeElement?.getAttribute('aria-invalid') === 'true') return
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [step])
}

function PublishForm({ step }: { readonly step: PublishStep }): ReactNode {
  const say = useMessages(publishMessages)
  const common = useMessages(commonMessages)
  const { wallet } = useSession()
  const go = useGo()
  const form = usePublishForm(step, go)
  const { draft, change, forget, faults, send, bountyUsd, hours } = form
  const faultOf = useFaultTexts(faults)
  const part = { draft, change, faultOf }
  const isLast = step === 'check'
  const before = steps[steps.indexOf(step) - 1]
  return (
    <form
      noValidate
      onSubmit={form.submit}
      onFocus={() => {
        // What cannot be loaded ahead is asked for again by the step that needs it.
        laterSteps().catch(() => undefined)
      }}
      className="grid items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,42rem)_22rem]"
    >
      <div className="grid min-w-0 gap-6">
        <Suspense fallback={<Loading says={common('loading')} rows={4} />}>
          {step === 'what' && <WhatStep {...part} />}
          {step === 'proof' && <ProofStep {...part} />}
          {step === 'money' && <MoneyStep {...part} bountyUsd={bountyUsd} />}
          {isLast && <CheckStep draft={draft} bountyUsd={bountyUsd} hours={hours} go={go} />}
        </Suspense>
        {/* It comes with the first digit of a bounty, and must not take the field from under it. */}
        {(step === 'money' || isLast) && draft.meter === null && (
          <Suspense>
            <Holding draft={draft} bountyUsd={bountyUsd} hours={hours} />
          </Suspense>
        )}
        {Object.keys(faults).length > 0 && (
          <Note tone="bad" role="alert" title={say('faults', { n: Object.keys(faults).length })} />
        )}
        {(isLast || send.error !== null) && (
          <Suspense>
            <SellNote {...part} />
          </Suspense>
        )}
        {send.error !== null && <Failure error={send.error} />}
        {wallet === null && (step === 'what' || isLast) && <SignInFirst then={step} />}
        <StepEnd
          says={say(draft.meter === null ? 'youPay' : 'atMost')}
          bountyUsd={bountyUsd}
          back={before === undefined ? undefined : () => go(before)}
          instead={isLast && wallet === null ? <span className="grow" /> : undefined}
          busy={send.busy}
        >
          {say(isLast ? 'publish' : `on.${step}`)}
        </StepEnd>
        <KeptHere
          onForget={() => {
            forget()
            go('what')
          }}
        />
      </div>
      <aside className="grid gap-3 lg:sticky lg:top-24">
        <PreviewCard draft={draft} bountyUsd={bountyUsd} hours={hours} />
        {draft.hasPlace && <p className="text-sm text-quiet">{say('areaOnly')}</p>}
      </aside>
    </form>
  )
}

/** Whether what is typed is kept in this browser, and the way to be rid of it. */
function KeptHere({ onForget }: { readonly onForget: () => void }): ReactNode {
  const say = useMessages(publishMessages)
  const isKeeping = useIsKeeping()
  return (
    <p className="flex flex-wrap items-center justify-between gap-3 text-sm text-quiet">
      {say(isKeeping ? 'kept' : 'unkept')}
      <Button kind="quiet" onClick={onForget}>
        {say('forget')}
      </Button>
    </p>
  )
}

type Form = {
  readonly draft: TaskDraft
  readonly change: (part: Partial<TaskDraft>) => void
  readonly forget: () => void
  readonly faults: FieldFaults
  readonly send: Pick<ReturnType<typeof usePublish>, 'busy' | 'error'>
  readonly submit: (event: FormEvent<HTMLFormElement>) => void
  readonly bountyUsd: number | undefined
  readonly hours: number | undefined
}

/** Each step is held against the operation's own schema before the next; what the service refuses leads back to it. */
function usePublishForm(step: PublishStep, go: (step: PublishStep) => void): Form {
  const { language, locale } = useSpeech()
  const [draft, change, forget] = useDraft<TaskDraft>('publish', emptyDraft)
  const [faults, setFaults] = useState<FieldFaults>({})
  const send = usePublish(forget)
  const fields = publishFields(draft, language, locale)
  const place = placeFields(draft, locale)
  const show = (form: HTMLFormElement, found: FieldFaults): void => {
    const first = firstToMend(found)
    // The errors are in the page before the focus goes to the first of them.
    flushSync(() => {
      setFaults(found)
    })
    if (first === undefined) return
    if (first !== step && first !== 'check') go(first)
    focusFirst(form)
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    void import('../lib/form.ts').then(({ faultsOf }) => {
      const found = faultsUpTo(step, {
        ...faultsOf('h2a.publish', fields),
        ...(place === undefined ? {} : faultsOf('tasks.setLocation', { task_id: someTask, ...place })),
      })
      show(form, found)
      if (Object.keys(found).length > 0) return
      const next = steps[steps.indexOf(step) + 1]
      if (next !== undefined) go(next)
      else
        send.publish({ fields, place, draft }, (error) => {
          show(form, faultsSaid(error))
        })
    })
  }
  const bounty = fields['bounty_usd']
  const hours = fields['deadline_hours']
  return {
    draft,
    change,
    forget,
    faults,
    send,
    submit,
    bountyUsd:
      typeof bounty === 'number' && bounty >= limits.bountyMinUsd && bounty <= limits.bountyMaxUsd ? bounty : undefined,
    hours: typeof hours === 'number' && hours > 0 ? hours : undefined,
  }
}

/** The field to mend may be on a step that is still to be drawn. */
function focusFirst(form: HTMLFormElement, tries = 20): void {
  const found = form.querySelector<HTMLElement>('[aria-invalid="true"], fieldset[aria-describedby$="-error"]')
  if (found !== null) found.focus()
  else if (tries > 0)
    requestAnimationFrame(() => {
      focusFirst(form, tries - 1)
    })
}

type HoldingProps = {
  readonly draft: TaskDraft
  readonly bountyUsd: number | undefined
  readonly hours: number | undefined
}

/** Whether the wallet holds enough for the moment a worker is chosen. */
function Holding({ draft, bountyUsd, hours }: HoldingProps): ReactNode {
  const { wallet } = useSession()
  const networks = useRead('payments.networks', {}, { staleTime: 600_000 })
  if (typeof wallet !== 'string' || bountyUsd === undefined || hours === undefined || networks.data === undefined)
    return null
  return (
    <DryRun
      wallet={wallet}
      bountyUsd={bountyUsd}
      hours={hours}
      network={draft.network === '' ? networks.data.preferred : draft.network}
    />
  )
}

function SignInFirst({ then }: { readonly then: PublishStep }): ReactNode {
  const say = useMessages(publishMessages)
  const common = useMessages(commonMessages)
  return (
    <Note icon="user-circle" title={say('notSigned')}>
      <div className="mt-1">
        <LinkButton
          to="/sign-in"
          search={{ then: then === 'what' ? '/publish' : `/publish?step=${then}` }}
          kind={then === 'check' ? 'primary' : 'secondary'}
        >
          {common('signIn')}
        </LinkButton>
      </div>
    </Note>
  )
}
