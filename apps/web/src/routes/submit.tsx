import { useState, type ReactNode } from 'react'
import type { EvidenceType } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { Earned } from '../components/earned.tsx'
import { ExactPlace } from '../components/exact-place.tsx'
import { Failure } from '../components/failure.tsx'
import { TextAreaField } from '../components/field.tsx'
import { Page } from '../components/page.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Card, Empty, Loading, Note } from '../components/surface.tsx'
import { TaskWords } from '../components/task-words.tsx'
import { useToast } from '../components/toast.tsx'
import { TurnNote } from '../components/turn.tsx'
import { evidenceInputs, readTyped } from '../features/capture/evidence-input.ts'
import { EvidenceStep } from '../features/capture/evidence-step.tsx'
import { gather, type Typed } from '../features/capture/gather.ts'
import { captureMessages } from '../features/capture/messages.ts'
import type { Position } from '../features/capture/position-quality.ts'
import { outboxMessages } from '../features/outbox/messages.ts'
import { outbox, outboxKey, useParcels } from '../features/outbox/outbox-keeper.tsx'
import type { Answer, Answers } from '../features/outbox/parcel.ts'
import { useDraft, type FieldFaults } from '../lib/form.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { useFaultTexts } from '../lib/use-fault-texts.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/work/$taskId/submit')
const nothingTyped: Typed = { note: '' }
const lowBytes = 60 * 1_048_576

type Task = Output<'tasks.get'>

/** What a task asks for, step by step; it goes through the outbox, with or without a network. */
export function SubmitScreen(): ReactNode {
  const say = useMessages(captureMessages)
  const common = useMessages(commonMessages)
  const { wallet } = useSession()
  const { taskId } = route.useParams()
  // What was read before the worker was chosen is shown to nobody as an answer.
  const { data: task, error, refetch, isFetching } = useRead('tasks.get', { task_id: taskId }, { enabled: typeof wallet === 'string', staleTime: 0 })
  const draft = useQuery({ queryKey: ['draft', wallet, taskId], queryFn: () => outbox.readDraft(wallet ?? '', taskId), enabled: typeof wallet === 'string', networkMode: 'always', gcTime: 0, staleTime: Infinity })
  if (wallet === null) return <Page title={common('signIn')}><SignedOut what={say('signedOut')} /></Page>
  if (error !== null && task === undefined) return <Page title={common('somethingWrong')}><Failure error={error} retry={() => { void refetch() }} /></Page>
  if (task === undefined || wallet === undefined || draft.isPending) return <Page title={common('loading')}><Loading says={common('loading')} /></Page>
  if (task.status !== 'accepted' && task.status !== 'in_progress') return isFetching ? <Page title={task.title}><Loading says={common('loading')} /></Page> : <Page title={task.title}><Empty title={say('notYours')}><LinkButton to="/work">{say('back')}</LinkButton></Empty></Page>
  return <Unsent key={task.id} task={task} wallet={wallet}><Capture task={task} wallet={wallet} kept={draft.data ?? {}} isStored={draft.error === null} /></Unsent>
}

/** What waits in the outbox for a task is not handed in a second time. */
function Unsent({ task, wallet, children }: { readonly task: Task; readonly wallet: string; readonly children: ReactNode }): ReactNode {
  const say = useMessages(outboxMessages)
  const { data: parcels } = useParcels(wallet)
  const waits = parcels?.some((parcel) => parcel.taskId === task.id && parcel.state === 'waiting') === true
  return waits ? <Page title={task.title}><Empty title={say('underWay')}><p className="text-quiet">{say('underWayHelp')}</p><LinkButton to="/work" kind="primary">{say('see')}</LinkButton></Empty></Page> : children
}

function Capture({ task, wallet, kept, isStored }: { readonly task: Task; readonly wallet: string; readonly kept: Answers; readonly isStored: boolean }): ReactNode {
  const say = useMessages(captureMessages)
  const navigate = useNavigate()
  const tell = useToast()
  const queries = useQueryClient()
  const [answers, setAnswers] = useState(kept)
  const [typed, changeTyped, forgetTyped] = useDraft(`submit.${wallet}.${task.id}`, nothingTyped)
  const [faults, setFaults] = useState<FieldFaults>({})
  const [isLost, setLost] = useState(!isStored)
  const [busy, setBusy] = useState(false)
  const faultText = useFaultTexts(faults)
  const place = useRead('tasks.location', { task_id: task.id }, { enabled: task.area !== null, staleTime: 60_000 })
  const storage = useQuery({ queryKey: ['storage'], queryFn: askForStorage, networkMode: 'always', staleTime: 60_000 })
  const capture = (type: EvidenceType, answer: Answer): void => {
    const next = { ...answers, [type]: answer }
    setAnswers(next)
    outbox.keepDraft(wallet, task.id, next).catch(() => { setLost(true) })
  }
  const send = async (): Promise<void> => {
    const { complete, notes, wrong } = gather(task, answers, typed)
    setFaults(wrong)
    const [first] = Object.keys(wrong)
    if (first !== undefined) {
      document.getElementById(first)?.focus()
      return
    }
    setBusy(true)
    const at = new Date()
    await outbox.post({ id: crypto.randomUUID(), wallet, taskId: task.id, title: task.title, deadline: task.deadline, answers: complete, ...(notes === undefined ? {} : { notes }), device: { clock: at.toISOString(), utc_offset_minutes: -at.getTimezoneOffset() }, uploaded: {}, state: 'waiting', attempts: 0, dueAt: 0, failure: null })
    forgetTyped()
    queries.removeQueries({ queryKey: ['draft', wallet, task.id] })
    tell(say('posted'))
    void queries.invalidateQueries({ queryKey: outboxKey(wallet) })
    void navigate({ to: '/work' })
  }
  const step = (type: EvidenceType, order: { readonly n: number; readonly of: number } | null): ReactNode => {
    const answer = answers[type]
    return (
      <div key={type} id={`evidence.${type}`} tabIndex={-1} className="outline-none">
        <EvidenceStep
          type={type} place={order} radius={place.data?.radius_m ?? null} typed={typed[type] ?? ''} error={faultText(`evidence.${type}`)}
          file={answer?.kind === 'file' ? answer : undefined} position={answer?.kind === 'value' ? asPosition(answer.value) : undefined} isReady={answer !== undefined || 'value' in readTyped(evidenceInputs[type], typed[type] ?? '')}
          onFile={(file) => { capture(type, { kind: 'file', ...file }) }} onPosition={(value) => { capture(type, { kind: 'value', value }) }} onTyped={(text) => { changeTyped({ [type]: text }) }}
        />
      </div>
    )
  }
  return (
    <Page title={task.title} lead={say('kept')} actions={<Earned usd={task.bounty_usd} className="text-2xl" />}>
      <div><TurnNote status={task.status} deadline={task.deadline} as="worker" /></div>
      {isLost && <Note tone="warn" role="alert" title={say('storageFailed')} />}
      {storage.data !== undefined && storage.data < lowBytes && <Note tone="warn" title={say('lowStorage')} />}
      <Work task={task} place={place.data} />
      {task.evidence_required.map((type, index) => step(type, { n: index + 1, of: task.evidence_required.length }))}
      {task.evidence_optional.length > 0 && <><h2>{say('mayAdd')}</h2>{task.evidence_optional.map((type) => step(type, null))}</>}
      <div id="notes" tabIndex={-1} className="outline-none"><TextAreaField label={say('note')} hint={say('noteHint')} error={faultText('notes')} value={typed.note} onChange={({ target }) => { changeTyped({ note: target.value }) }} /></div>
      <Checks />
      <div><Button kind="primary" busy={busy} onClick={() => { send().catch(() => { setBusy(false); setLost(true) }) }}>{say('send')}</Button></div>
    </Page>
  )
}

/** What was agreed, at hand where the work is done. */
function Work({ task, place }: { readonly task: Task; readonly place: Output<'tasks.location'> | undefined }): ReactNode {
  const say = useMessages(captureMessages)
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('what')}</h2>
      <TaskWords text={task.instructions} />
      {(task.location_hint !== null || place !== undefined) && <h3>{say('where')}</h3>}
      {task.location_hint !== null && <p>{task.location_hint}</p>}
      {place?.precision === 'exact' && <ExactPlace at={place} radiusM={place.radius_m} />}
    </Card>
  )
}

function Checks(): ReactNode {
  const say = useMessages(captureMessages)
  return (
    <Card as="section" className="grid gap-2">
      <h2>{say('checks')}</h2>
      <ul className="list-disc pl-5">{(['form', 'photo', 'position', 'time', 'person'] as const).map((one) => <li key={one}>{say(`check.${one}`)}</li>)}</ul>
    </Card>
  )
}

/** What this screen itself keeps under a type whose input is a position. */
function asPosition(value: unknown): Position | undefined {
  return typeof value === 'object' && value !== null && 'samples' in value ? value as Position : undefined
}

/** Asks that the browser does not clear what is kept, and says how many bytes are left for it. */
async function askForStorage(): Promise<number> {
  await navigator.storage.persist()
  const { quota = Infinity, usage = 0 } = await navigator.storage.estimate()
  return quota - usage
}
