import { useState, type ReactNode } from 'react'
import { evidenceTypes, type EvidenceType } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { Earned } from '../components/earned.tsx'
import { ExactPlace } from '../components/exact-place.tsx'
import { Failure } from '../components/failure.tsx'
import { TextAreaField } from '../components/field.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Card, Empty, Loading, Note } from '../components/surface.tsx'
import { TaskWords } from '../components/task-words.tsx'
import { useToast } from '../components/toast.tsx'
import { TurnNote } from '../components/turn.tsx'
import { asJpeg } from '../features/capture/as-jpeg.ts'
import { evidenceInputs, writeTyped } from '../features/capture/evidence-input.ts'
import { EvidenceStep } from '../features/capture/evidence-step.tsx'
import { isReady, stepsOf } from '../features/capture/evidence-steps.ts'
import { gather, type Typed } from '../features/capture/gather.ts'
import { captureMessages } from '../features/capture/messages.ts'
import { withPosition } from '../features/capture/position-in-picture.ts'
import type { Position } from '../features/capture/position-quality.ts'
import { whyClosed, type WhyClosed } from '../features/capture/why-closed.ts'
import { KeptAnswers } from '../features/outbox/kept-answers.tsx'
import { outboxMessages } from '../features/outbox/messages.ts'
import { outbox, outboxKey, typedName, useKept, useParcels, type Kept } from '../features/outbox/outbox-keeper.tsx'
import type { Answer, Answers } from '../features/outbox/parcel.ts'
import { useDraft, type FieldFaults } from '../lib/form.ts'
import { useMessages, useSpeech } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { readDraft } from '../lib/use-draft.ts'
import { useFaultTexts } from '../lib/use-fault-texts.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useOfflineWallet, useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/work/$taskId/submit')
const nothingTyped: Typed = {}
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
  const {
    data: task,
    error,
    refetch,
    isFetching,
    isPaused,
  } = useRead('tasks.get', { task_id: taskId }, { enabled: typeof wallet === 'string', staleTime: 0 })
  const kept = useKept(wallet ?? offlineWallet, taskId)
  if (wallet === null)
    return (
      <Page title={common('signIn')}>
        <SignedOut what={say('signedOut')} />
      </Page>
    )
  const here = wallet ?? offlineWallet
  if (here !== undefined && kept !== undefined && (wallet === undefined || (task === undefined && isPaused)))
    return (
      <Unsent taskId={taskId} title={kept.title ?? say('signedOut')} wallet={here}>
        <KeptWork wallet={here} taskId={taskId} kept={kept} why="away" />
      </Unsent>
    )
  if (wallet === undefined)
    return (
      <Page title={common('loading')}>
        <SessionUnknown />
      </Page>
    )
  if (error !== null && task === undefined)
    return (
      <Page title={kept?.title ?? common('somethingWrong')}>
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
        {kept !== undefined && <KeptAnswers {...keptWork(wallet, taskId, kept)} />}
      </Page>
    )
  if (task === undefined || kept === undefined)
    return (
      <Page title={common('loading')}>
        <Loading says={common('loading')} />
      </Page>
    )
  const why = whyClosed(task, workerId)
  if (why !== undefined)
    return isFetching ? (
      <Page title={task.title}>
        <Loading says={common('loading')} />
      </Page>
    ) : (
      <KeptWork wallet={wallet} taskId={taskId} kept={{ ...kept, title: task.title }} why={why} />
    )
  return (
    <Unsent key={task.id} taskId={task.id} title={task.title} wallet={wallet}>
      <Capture task={task} wallet={wallet} kept={kept} />
    </Unsent>
  )
}

/** What this device keeps for a task for which nothing can be handed in now, and why not. */
function KeptWork({
  wallet,
  taskId,
  kept,
  why,
}: {
  readonly wallet: string
  readonly taskId: string
  readonly kept: Kept
  readonly why: WhyClosed | 'away'
}): ReactNode {
  const say = useMessages(captureMessages)
  const box = useMessages(outboxMessages)
  const work = keptWork(wallet, taskId, kept)
  const isEmpty = Object.keys(work.answers).length === 0 && work.note === ''
  return (
    <Page title={kept.title ?? box('keptTitle')}>
      {why === 'away' ? (
        <Note tone="warn" role="status" title={box('away')}>
          <p>{box('awayDraft')}</p>
        </Note>
      ) : (
        <Note tone="warn" title={say(`closed.${why}`)}>
          {!isEmpty && <p>{say('closedHelp')}</p>}
        </Note>
      )}
      {!isEmpty && <h2>{box('keptTitle')}</h2>}
      {(why === 'away' || !isEmpty) && <KeptAnswers {...work} />}
      <div className="flex flex-wrap gap-3">
        <LinkButton to="/work" kind="primary">
          {say('back')}
        </LinkButton>
        {why !== 'away' && (
          <LinkButton to="/tasks/$taskId" params={{ taskId }}>
            {say('see')}
          </LinkButton>
        )}
      </div>
    </Page>
  )
}

/** What was captured and what was typed since, as it would be handed in. */
function keptWork(
  wallet: string,
  taskId: string,
  { answers, note }: Kept,
): { readonly answers: Answers; readonly note: string } {
  const { note: typedNote = note, ...typed } = readDraft<Typed>(typedName(wallet, taskId))
  const written = Object.entries(typed).filter(([, text]) => text.trim() !== '')
  return {
    answers: {
      ...answers,
      ...Object.fromEntries(written.map(([type, text]) => [type, { kind: 'value', value: text }])),
    },
    note: typedNote.trim(),
  }
}

/** The words of a refused parcel, back in the fields they came from. */
function typedOf({ answers, note }: Kept, locale: string): Typed {
  const back: Partial<Record<EvidenceType, string>> = {}
  for (const type of evidenceTypes) {
    const answer = answers[type]
    const input = evidenceInputs[type]
    if (answer?.kind === 'value' && input !== 'position') back[type] = writeTyped(input, answer.value, locale)
  }
  return { ...back, note }
}

/** What waits in the outbox for a task is not handed in a second time. */
function Unsent({
  taskId,
  title,
  wallet,
  children,
}: {
  readonly taskId: string
  readonly title: string
  readonly wallet: string
  readonly children: ReactNode
}): ReactNode {
  const say = useMessages(outboxMessages)
  const { data: parcels } = useParcels(wallet)
  const waits = parcels?.some((parcel) => parcel.taskId === taskId && parcel.state === 'waiting') === true
  return waits ? (
    <Page title={title}>
      <Empty title={say('underWay')}>
        <p className="text-quiet">{say('underWayHelp')}</p>
        <LinkButton to="/work" kind="primary">
          {say('see')}
        </LinkButton>
      </Empty>
    </Page>
  ) : (
    children
  )
}

type Gathering = {
  readonly answers: Answers
  readonly typed: Typed
  /** This browser could not keep what was captured. */
  readonly isLost: boolean
  readonly setLost: (isLost: boolean) => void
  readonly forgetTyped: () => void
  readonly capture: (type: EvidenceType, answer: Answer) => void
  readonly write: (part: Partial<Typed>) => void
}

/** What was captured and typed for a task; each change is kept on this device at once. */
function useAnswers(task: Task, wallet: string, kept: Kept): Gathering {
  const { locale } = useSpeech()
  const [answers, setAnswers] = useState(kept.answers)
  const [typedBefore] = useState(() => typedOf(kept, locale))
  const [typedNow, changeTyped, forgetTyped] = useDraft(typedName(wallet, task.id), nothingTyped)
  const [isLost, setLost] = useState(!kept.isStored)
  const keep = (next: Answers): void => {
    outbox.keepDraft({ wallet, taskId: task.id, title: task.title, answers: next }).catch(() => {
      setLost(true)
    })
  }
  return {
    answers,
    typed: { ...typedBefore, ...typedNow },
    isLost,
    setLost,
    forgetTyped,
    capture(type, answer) {
      const next = { ...answers, [type]: answer }
      setAnswers(next)
      keep(next)
    },
    write(part) {
      // The words are kept beside it; without a draft nobody would find them.
      if (Object.values(typedNow).every((one) => one === '')) keep(answers)
      changeTyped(part)
    },
  }
}

function Capture({
  task,
  wallet,
  kept,
}: {
  readonly task: Task
  readonly wallet: string
  readonly kept: Kept
}): ReactNode {
  const say = useMessages(captureMessages)
  const navigate = useNavigate()
  const tell = useToast()
  const queries = useQueryClient()
  const { answers, typed, isLost, setLost, forgetTyped, capture: keepAnswer, write } = useAnswers(task, wallet, kept)
  const [faults, setFaults] = useState<FieldFaults>({})
  const [busy, setBusy] = useState(false)
  const faultText = useFaultTexts(faults)
  const { locale } = useSpeech()
  const place = useRead('tasks.location', { task_id: task.id }, { enabled: task.area !== null, staleTime: 60_000 })
  const storage = useQuery({ queryKey: ['storage'], queryFn: askForStorage, networkMode: 'always', staleTime: 60_000 })
  const capture = (type: EvidenceType, answer: Answer): void => {
    setFaults(({ [`evidence.${type}`]: _, ...others }) => others)
    keepAnswer(type, answer)
  }
  const send = async (): Promise<void> => {
    const { complete, notes, wrong } = gather(task, answers, typed, locale)
    setFaults(wrong)
    const [first] = Object.keys(wrong)
    if (first !== undefined) {
      document.getElementById(first)?.focus()
      return
    }
    setBusy(true)
    const at = new Date()
    const placed = await placedAnswers(complete, answers.gps).catch(() => undefined)
    if (placed === undefined) {
      setFaults({ 'evidence.photo_geo': { rule: 'malformed' } })
      setBusy(false)
      return
    }
    await outbox.post({
      id: crypto.randomUUID(),
      wallet,
      taskId: task.id,
      title: task.title,
      deadline: task.deadline,
      answers: placed,
      ...(notes === undefined ? {} : { notes }),
      device: { clock: at.toISOString(), utc_offset_minutes: -at.getTimezoneOffset() },
      uploaded: {},
      state: 'waiting',
      attempts: 0,
      dueAt: 0,
      failure: null,
    })
    forgetTyped()
    queries.removeQueries({ queryKey: ['kept', wallet, task.id] })
    tell(say('posted'))
    void queries.invalidateQueries({ queryKey: outboxKey(wallet) })
    void navigate({ to: '/work' })
  }
  const { required, optional } = stepsOf(task)
  const step = (type: EvidenceType, order: { readonly n: number; readonly of: number } | null): ReactNode => {
    const answer = answers[type]
    return (
      <div key={type} id={`evidence.${type}`} tabIndex={-1} className="outline-none">
        <EvidenceStep
          type={type}
          place={order}
          radius={place.data?.radius_m ?? null}
          typed={typed[type] ?? ''}
          error={faultText(`evidence.${type}`)}
          positionError={faultText('evidence.gps')}
          file={answer?.kind === 'file' ? answer : undefined}
          position={answers.gps?.kind === 'value' ? asPosition(answers.gps.value) : undefined}
          isReady={isReady(type, answers, typed, locale)}
          onFile={(file) => capture(type, { kind: 'file', ...file })}
          onPosition={(value) => capture('gps', { kind: 'value', value })}
          onTyped={(text) => write({ [type]: text })}
        />
      </div>
    )
  }
  return (
    <Page title={task.title} lead={say('kept')} actions={<Earned usd={task.bounty_usd} className="text-2xl" />}>
      <div>
        <TurnNote status={task.status} deadline={task.deadline} as="worker" />
      </div>
      {isLost && <Note tone="warn" role="alert" title={say('storageFailed')} />}
      {storage.data !== undefined && storage.data < lowBytes && <Note tone="warn" title={say('lowStorage')} />}
      <Work task={task} place={place.data} />
      {required.map((type, index) => step(type, { n: index + 1, of: required.length }))}
      {optional.length > 0 && (
        <>
          <h2>{say('mayAdd')}</h2>
          {optional.map((type) => step(type, null))}
        </>
      )}
      <div id="notes" tabIndex={-1} className="outline-none">
        <TextAreaField
          label={say('note')}
          hint={say('noteHint')}
          error={faultText('notes')}
          value={typed.note ?? ''}
          onChange={({ target }) => write({ note: target.value })}
        />
      </div>
      <Checks />
      <div>
        <Button
          kind="primary"
          busy={busy}
          onClick={() => {
            send().catch(() => {
              setBusy(false)
              setLost(true)
            })
          }}
        >
          {say('send')}
        </Button>
      </div>
    </Page>
  )
}

/** What was agreed, at hand where the work is done. */
function Work({
  task,
  place,
}: {
  readonly task: Task
  readonly place: Output<'tasks.location'> | undefined
}): ReactNode {
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
      <ul className="list-disc pl-5">
        {(['form', 'photo', 'position', 'time', 'person'] as const).map((one) => (
          <li key={one}>{say(`check.${one}`)}</li>
        ))}
      </ul>
    </Card>
  )
}

/** The photo with position with its position in it. @throws Error for a file that is no picture */
async function placedAnswers(answers: Answers, gps: Answer | undefined): Promise<Answers> {
  const { photo_geo: photo } = answers
  const position = gps?.kind === 'value' ? asPosition(gps.value) : undefined
  if (photo?.kind !== 'file' || position === undefined) return answers
  const jpeg = await asJpeg(photo)
  const bytes = withPosition(new Uint8Array(await jpeg.blob.arrayBuffer()), position)
  return { ...answers, photo_geo: { kind: 'file', ...jpeg, blob: new Blob([bytes], { type: 'image/jpeg' }) } }
}

/** What this screen itself keeps under a type whose input is a position. */
function asPosition(value: unknown): Position | undefined {
  return typeof value === 'object' && value !== null && 'samples' in value ? (value as Position) : undefined
}

/** Asks that the browser does not clear what is kept, and says how many bytes are left for it. */
async function askForStorage(): Promise<number> {
  await navigator.storage.persist()
  const { quota = Infinity, usage = 0 } = await navigator.storage.estimate()
  return quota - usage
}
