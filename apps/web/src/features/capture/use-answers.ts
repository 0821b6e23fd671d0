import { useState } from 'react'
import { evidenceTypes, type EvidenceType } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { outbox, typedName, type Kept } from '../../components/outbox/outbox-keeper.tsx'
import type { Answer, Answers } from '../../components/outbox/parcel.ts'
import { useDraft } from '../../lib/form.ts'
import { useSpeech } from '../../lib/i18n.tsx'
import { evidenceInputs, writeTyped } from './evidence-input.ts'
import type { Typed } from './gather.ts'

const nothingTyped: Typed = {}

export type Gathering = {
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
export function useAnswers(task: Pick<Output<'tasks.get'>, 'id' | 'title'>, wallet: string, kept: Kept): Gathering {
  const { locale } = useSpeech()
  const [answers, setAnswers] = useState(kept.answers)
  const [typedBefore] = useState(() => typedOf(kept, locale))
  const [typedNow, changeTyped, forgetTyped] = useDraft(typedName(wallet, task.id), nothingTyped)
  const [isLost, setLost] = useState(!kept.isStored)
  const keep = (next: Answers): void => {
    outbox.keepDraft({ wallet, taskId: task.id, title: task.title, answers: next }).then(
      (isKept) => {
        setLost(!isKept)
      },
      () => {
        setLost(true)
      },
    )
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
