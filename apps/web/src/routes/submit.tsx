import { useState, type ReactNode } from 'react'
import { evidenceTypes, type EvidenceType } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Money } from '../components/money.tsx'
import { Page } from '../components/page.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Card, Empty, Loading, Note } from '../components/surface.tsx'
import { useToast } from '../components/toast.tsx'
import { TurnNote } from '../components/turn.tsx'
import { evidenceInputs, readTyped, writeTyped } from '../features/capture/evidence-input.ts'
import { EvidenceStep } from '../features/capture/evidence-step.tsx'
import { captureMessages } from '../features/capture/messages.ts'
import type { Position } from '../features/capture/position-quality.ts'
import { whyClosed, type WhyClosed } from '../features/capture/why-closed.ts'
import { KeptAnswers } from '../features/outbox/kept-answers.tsx'
import { outboxMessages } from '../features/outbox/messages.ts'
import { outbox, outboxKey, typedName, useKept, useParcels, type Kept } from '../features/outbox/outbox-keeper.tsx'
import type { Answer, Answers } from '../features/outbox/parcel.ts'
import { faultsOf, useDraft, type FieldFaults } from '../lib/form.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { readDraft } from '../lib/use-draft.ts'
import { useFaultTexts } from '../lib/use-fault-texts.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useOfflineWallet, useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/work/$taskId/submit')
const nothingTyped: Partial<Record<EvidenceType, string>> = {}
const lowBytes = 60 * 1_048_576

type Task = Output<'tasks.get'>

/** What a task asks for, step by step; it goes through the outbox, with or without a network. */
export function SubmitScreen(): ReactNode {
  const say = useMessages(captureMessages)
  const common = useMessages(commonMessages)
  const { wallet, workerId } = useSession()
  const offlineWallet = useOfflineWallet()
  const { taskId } = route.useParams()
  // What was read before the worker was chosen is shown to nobody as an answer.
  const { data: task, error, refetch, isFetching, isPaused } = useRead('tasks.get', { task_id: taskId }, { enabled: typeof wallet === 'string', staleTime: 0 })
  const kept = useKept(wallet ?? offlineWallet, taskId)
  if (wallet === null) return <Page title={common('signIn')}><SignedOut what={say('signedOut')} /></Page>
  const here = wallet ?? offlineWallet
  if (here !== undefined && kept !== undefined && (wallet === undefined || (task === undefined && isPaused))) return <Unsent taskId={taskId} title={kept.title ?? say('signedOut')} wallet={here}><KeptWork wallet={here} taskId={taskId} kept={kept} why="away" /></Unsent>
  if (error !== null && task === undefined) return <Page title={kept?.title ?? common('somethingWrong')}><Failure error={error} retry={() => { void refetch() }} />{kept !== undefined && typeof wallet === 'string' && <KeptAnswers answers={keptAnswers(wallet, taskId, kept)} />}</Page>
  if (task === undefined || wallet === undefined || kept === undefined) return <Page title={common('loading')}><Loading says={common('loading')} /></Page>
  const why = whyClosed(task, workerId)
  if (why !== undefined) return isFetching ? <Page title={task.title}><Loading says={common('loading')} /></Page> : <KeptWork wallet={wallet} taskId={taskId} kept={{ ...kept, title: task.title }} why={why} />
  return <Unsent key={task.id} taskId={task.id} title={task.title} wallet={wallet}><Capture task={task} wallet={wallet} kept={kept} /></Unsent>
}

/** What this device keeps for a task for which nothing can be handed in now, and why not. */
function KeptWork({ wallet, taskId, kept, why }: { readonly wallet: string; readonly taskId: string; readonly kept: Kept; readonly why: WhyClosed | 'away' }): ReactNode {
  const say = useMessages(captureMessages)
  const box = useMessages(outboxMessages)
  const answers = keptAnswers(wallet, taskId, kept)
  const isEmpty = Object.keys(answers).length === 0
  return (
    <Page title={kept.title ?? box('keptTitle')}>
      {why === 'away' ? <Note tone="warn" role="status" title={box('away')}><p>{box('awayDraft')}</p></Note> : <Note tone="warn" title={say(`closed.${why}`)}>{!isEmpty && <p>{say('closedHelp')}</p>}</Note>}
      {!isEmpty && <h2>{box('keptTitle')}</h2>}
      {(why === 'away' || !isEmpty) && <KeptAnswers answers={answers} />}
      <div className="flex flex-wrap gap-3"><LinkButton to="/work" kind="primary">{say('back')}</LinkButton>{why !== 'away' && <LinkButton to="/tasks/$taskId" params={{ taskId }}>{say('see')}</LinkButton>}</div>
    </Page>
  )
}

/** What was captured and what was typed since, as it would be handed in. */
function keptAnswers(wallet: string, taskId: string, { answers }: Kept): Answers {
  const typed = Object.entries(readDraft<typeof nothingTyped>(typedName(wallet, taskId))).filter(([, text]) => text.trim() !== '')
  return { ...answers, ...Object.fromEntries(typed.map(([type, text]) => [type, { kind: 'value', value: text }])) }
}

/** The words of a refused parcel, back in the fields they came from. */
function typedOf(answers: Answers): typeof nothingTyped {
  const back: Partial<Record<EvidenceType, string>> = {}
  for (const type of evidenceTypes) {
    const answer = answers[type]
    const input = evidenceInputs[type]
    if (answer?.kind === 'value' && input !== 'position') back[type] = writeTyped(input, answer.value)
  }
  return back
}

/** What waits in the outbox for a task is not handed in a second time. */
function Unsent({ taskId, title, wallet, children }: { readonly taskId: string; readonly title: string; readonly wallet: string; readonly children: ReactNode }): ReactNode {
  const say = useMessages(outboxMessages)
  const { data: parcels } = useParcels(wallet)
  const waits = parcels?.some((parcel) => parcel.taskId === taskId && parcel.state === 'waiting') === true
  return waits ? <Page title={title}><Empty title={say('underWay')}><p className="text-quiet">{say('underWayHelp')}</p><LinkButton to="/work" kind="primary">{say('see')}</LinkButton></Empty></Page> : children
}

function Capture({ task, wallet, kept }: { readonly task: Task; readonly wallet: string; readonly kept: Kept }): ReactNode {
  const say = useMessages(captureMessages)
  const navigate = useNavigate()
  const tell = useToast()
  const queries = useQueryClient()
  const [answers, setAnswers] = useState(kept.answers)
  const [typedBefore] = useState(() => typedOf(kept.answers))
  const [typedNow, changeTyped, forgetTyped] = useDraft(typedName(wallet, task.id), nothingTyped)
  const typed = { ...typedBefore, ...typedNow }
  const [faults, setFaults] = useState<FieldFaults>({})
  const [isLost, setLost] = useState(!kept.isStored)
  const [busy, setBusy] = useState(false)
  const faultText = useFaultTexts(faults)
  const place = useRead('tasks.location', { task_id: task.id }, { enabled: task.area !== null, staleTime: 60_000 })
  const storage = useQuery({ queryKey: ['storage'], queryFn: askForStorage, networkMode: 'always', staleTime: 60_000 })
  const keep = (next: Answers): void => { outbox.keepDraft({ wallet, taskId: task.id, title: task.title, answers: next }).catch(() => { setLost(true) }) }
  const capture = (type: EvidenceType, answer: Answer): void => {
    const next = { ...answers, [type]: answer }
    setAnswers(next)
    keep(next)
  }
  const write = (type: EvidenceType, text: string): void => {
    // The words are kept beside it; without a draft nobody would find them.
    if (Object.values(typedNow).every((one) => one === '')) keep(answers)
    changeTyped({ [type]: text })
  }
  const send = async (): Promise<void> => {
    const { complete, wrong } = gather(task, answers, typed)
    setFaults(wrong)
    const [first] = Object.keys(wrong)
    if (first !== undefined) {
      document.getElementById(first)?.focus()
      return
    }
    setBusy(true)
    const at = new Date()
    await outbox.post({ id: crypto.randomUUID(), wallet, taskId: task.id, title: task.title, deadline: task.deadline, answers: complete, device: { clock: at.toISOString(), utc_offset_minutes: -at.getTimezoneOffset() }, uploaded: {}, state: 'waiting', attempts: 0, dueAt: 0, failure: null })
    forgetTyped()
    queries.removeQueries({ queryKey: ['kept', wallet, task.id] })
    tell(say('posted'))
    void queries.invalidateQueries({ queryKey: outboxKey(wallet) })
    void navigate({ to: '/work' })
  }
  return (
    <Page title={task.title} lead={say('kept')} actions={<Money usd={task.bounty_usd} className="text-2xl" />}>
      <div><TurnNote status={task.status} deadline={task.deadline} as="worker" /></div>
      {isLost && <Note tone="warn" role="alert" title={say('storageFailed')} />}
      {storage.data !== undefined && storage.data < lowBytes && <Note tone="warn" title={say('lowStorage')} />}
      <p className="whitespace-pre-line">{task.instructions}</p>
      {task.evidence_required.map((type, index) => {
        const answer = answers[type]
        return (
          <div key={type} id={`evidence.${type}`} tabIndex={-1} className="outline-none">
            <EvidenceStep
              type={type} place={{ n: index + 1, of: task.evidence_required.length }} radius={place.data?.radius_m ?? null} typed={typed[type] ?? ''} error={faultText(`evidence.${type}`)}
              file={answer?.kind === 'file' ? answer : undefined} position={answer?.kind === 'value' ? asPosition(answer.value) : undefined} isReady={answer !== undefined || 'value' in readTyped(evidenceInputs[type], typed[type] ?? '')}
              onFile={(file) => { capture(type, { kind: 'file', ...file }) }} onPosition={(value) => { capture(type, { kind: 'value', value }) }} onTyped={(text) => { write(type, text) }}
            />
          </div>
        )
      })}
      <Checks />
      <div><Button kind="primary" busy={busy} onClick={() => { send().catch(() => { setBusy(false); setLost(true) }) }}>{say('send')}</Button></div>
    </Page>
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

/** Everything that was captured and typed, and what is still wrong with it by the schema of the operation. */
function gather(task: Task, answers: Answers, typed: Partial<Record<EvidenceType, string>>): { readonly complete: Answers; readonly wrong: FieldFaults } {
  const complete: Partial<Record<EvidenceType, Answer>> = {}
  const wrong: Record<string, FieldFaults[string]> = {}
  for (const type of task.evidence_required) {
    const input = evidenceInputs[type]
    const captured = answers[type]
    if (input === 'camera' || input === 'file' || input === 'position') {
      if (captured === undefined) wrong[`evidence.${type}`] = { rule: 'required' }
      else complete[type] = captured
      continue
    }
    const read = readTyped(input, typed[type] ?? '')
    if ('fault' in read) wrong[`evidence.${type}`] = { rule: read.fault }
    else complete[type] = { kind: 'value', value: read.value }
  }
  const values = Object.fromEntries(Object.entries(complete).map(([type, answer]) => [type, answer.kind === 'file' ? answer.name : answer.value]))
  return { complete, wrong: { ...(Object.keys(values).length === 0 ? {} : faultsOf('tasks.submit', { task_id: task.id, evidence: values })), ...wrong } }
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
