import { useState } from 'react'
import type { Output } from '@ergon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useToast } from '../../components/toast.tsx'
import type { FieldFaults } from '../../lib/form.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { outbox, outboxKey } from '../../components/outbox/outbox-keeper.tsx'
import { gather } from './gather.ts'
import { captureMessages } from './messages.ts'
import { placedAnswers } from './placed-answers.ts'
import type { Gathering } from './use-answers.ts'

type Task = Output<'tasks.get'>
type HandIn = {
  readonly faults: FieldFaults
  readonly forgive: (field: string) => void
  readonly busy: boolean
  readonly send: () => void
}

/** Handing in what was gathered: what is missing is named, the rest goes through the outbox. */
export function useHandIn(task: Task, wallet: string, { answers, typed, forgetTyped, setLost }: Gathering): HandIn {
  const say = useMessages(captureMessages)
  const { locale } = useSpeech()
  const navigate = useNavigate()
  const tell = useToast()
  const queries = useQueryClient()
  const [faults, setFaults] = useState<FieldFaults>({})
  const [busy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    const { complete, notes, wrong } = gather(task, answers, typed, locale)
    setFaults(wrong)
    const [first] = Object.keys(wrong)
    if (first !== undefined) {
      document.getElementById(first)?.focus()
      return
    }
    setBusy(true)
    const placed = await placedAnswers(complete, answers.gps).catch(() => undefined)
    if (placed === undefined) {
      setFaults({ 'evidence.photo_geo': { rule: 'malformed' } })
      setBusy(false)
      return
    }
    const at = new Date()
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
  return {
    faults,
    busy,
    forgive(field) {
      setFaults(({ [field]: _, ...others }) => others)
    },
    send() {
      send().catch(() => {
        setBusy(false)
        setLost(true)
      })
    },
  }
}
