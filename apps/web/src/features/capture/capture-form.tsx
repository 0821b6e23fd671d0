import type { ReactNode } from 'react'
import type { EvidenceType } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TextAreaField } from '../../components/field.tsx'
import { Page } from '../../components/page.tsx'
import { Note } from '../../components/surface.tsx'
import { BeginButton } from '../../components/begin-button.tsx'
import { TurnNote, WhatIsNext } from '../../components/turn.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { useSplit } from '../../lib/use-split.ts'
import type { Kept } from '../../components/outbox/outbox-keeper.tsx'
import { CaptureAside } from './capture-aside.tsx'
import { EvidenceStep } from './evidence-step.tsx'
import { isReady, stepsOf } from './evidence-steps.ts'
import { GoOnWithPhone } from './go-on-with-phone.tsx'
import { Asks, HandInBar } from './hand-in-bar.tsx'
import { captureMessages } from './messages.ts'
import { asPosition } from './placed-answers.ts'
import { useAnswers } from './use-answers.ts'
import { useHandIn } from './use-hand-in.ts'

const lowBytes = 60 * 1_048_576

type CaptureProps = { readonly task: Output<'tasks.get'>; readonly wallet: string; readonly kept: Kept }

/** All that a task asks for, the camera first, and handing it in. */
export function CaptureForm({ task, wallet, kept }: CaptureProps): ReactNode {
  const say = useMessages(captureMessages)
  const { locale } = useSpeech()
  const gathering = useAnswers(task, wallet, kept)
  const { answers, typed, capture, write } = gathering
  const { faults, forgive, busy, send } = useHandIn(task, wallet, gathering)
  const faultText = useFaultTexts(faults)
  const place = useRead('tasks.location', { task_id: task.id }, { enabled: task.area !== null, staleTime: 60_000 })
  const { required, optional } = stepsOf(task)
  const asked = required.map((type) => ({ type, isReady: isReady(type, answers, typed, locale) }))
  const step = (type: EvidenceType, order: { readonly n: number; readonly of: number } | null): ReactNode => {
    const answer = answers[type]
    return (
      <div key={type} id={`evidence.${type}`} tabIndex={-1} className="scroll-mt-20 outline-none">
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
          onFile={(file) => {
            forgive(`evidence.${type}`)
            capture(type, { kind: 'file', ...file })
          }}
          onPosition={(value) => {
            forgive('evidence.gps')
            capture('gps', { kind: 'value', value })
          }}
          onTyped={(text) => write({ [type]: text })}
        />
      </div>
    )
  }
  return (
    <Page title={task.title} wide lead={<Lead bountyUsd={task.bounty_usd} />} before={<Turn task={task} />}>
      <Storage isLost={gathering.isLost} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-10">
        <CaptureAside task={task} place={place.data} />
        <div className="grid min-w-0 gap-4">
          {/* Two can be seen at a glance. */}
          {asked.length > 2 && <Asks asked={asked} />}
          <GoOnWithPhone types={required} />
          {required.map((type, index) => step(type, { n: index + 1, of: required.length }))}
          {optional.length > 0 && (
            <>
              <h2 className="pt-4">{say('mayAdd')}</h2>
              {optional.map((type) => step(type, null))}
            </>
          )}
          <NoteField
            text={typed.note ?? ''}
            error={faultText('notes')}
            onText={(note) => {
              write({ note })
            }}
          />
          <WayOut taskId={task.id} />
          <HandInBar asked={asked} busy={busy} send={send} />
        </div>
      </div>
    </Page>
  )
}

/** Whose turn it is; where the work has to be begun by a time, or an offer waits, what that is. */
function Turn({ task }: { readonly task: CaptureProps['task'] }): ReactNode {
  const { next_action: next } = task
  return (
    <>
      <TurnNote next={next} as="worker" />
      {next?.what !== 'hand_in' && <WhatIsNext next={next} as="worker" />}
      <BeginButton task={task} className="justify-self-start" />
    </>
  )
}

type NoteProps = {
  readonly text: string
  readonly error: string | undefined
  readonly onText: (text: string) => void
}

function NoteField({ text, error, onText }: NoteProps): ReactNode {
  const say = useMessages(captureMessages)
  return (
    <div id="notes" tabIndex={-1} className="pt-2 outline-none">
      <TextAreaField
        label={say('note')}
        hint={say('noteHint')}
        rows={3}
        error={error}
        value={text}
        onChange={({ target }) => {
          onText(target.value)
        }}
      />
    </div>
  )
}

/** Whoever cannot do it after all finds that out here. */
function WayOut({ taskId }: { readonly taskId: string }): ReactNode {
  const say = useMessages(captureMessages)
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm text-quiet">
      {say('cannot')}
      <Link
        to="/tasks/$taskId"
        params={{ taskId }}
        search={{ withdraw: '1' }}
        className="link inline-flex min-h-11 items-center"
      >
        {say('stepDown')}
      </Link>
    </p>
  )
}

function Lead({ bountyUsd }: { readonly bountyUsd: number }): ReactNode {
  const say = useMessages(captureMessages)
  const format = useFormat()
  const split = useSplit()?.(bountyUsd)
  return split === undefined ? say('kept') : say('lead', { amount: format.usd(split.payoutUsd) })
}

/** What this device cannot keep, or will soon have no room for. */
function Storage({ isLost }: { readonly isLost: boolean }): ReactNode {
  const say = useMessages(captureMessages)
  const { data } = useQuery({ queryKey: ['storage'], queryFn: askForStorage, networkMode: 'always', staleTime: 60_000 })
  if (isLost) return <Note tone="warn" role="alert" title={say('storageFailed')} />
  return data !== undefined && data < lowBytes ? <Note tone="warn" title={say('lowStorage')} /> : null
}

/** Asks that the browser does not clear what is kept, and says how many bytes are left for it, as far as it tells. */
async function askForStorage(): Promise<number> {
  // No browser has it on a page without TLS, and older Safaris have no `estimate`, whatever the types say.
  const storage = navigator.storage as Partial<StorageManager> | undefined
  await storage?.persist?.()
  const { quota = Infinity, usage = 0 } = (await storage?.estimate?.()) ?? {}
  return quota - usage
}
