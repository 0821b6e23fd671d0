import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextAreaField } from '../../components/field.tsx'
import { useToast } from '../../components/toast.tsx'
import { faultsOf, faultsSaid, useDraft, type FieldFaults } from '../../lib/form.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { showIn } from '../../lib/show-faults.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { questionMessages } from './messages.ts'

type SayFormProps = {
  readonly taskId: string
  /** The question that is answered; without one a question is asked. */
  readonly questionId?: string
  readonly onDone: () => void
}

/** Where a question is written, or the answer to one. */
export function SayForm({ taskId, questionId, onDone }: SayFormProps): ReactNode {
  const say = useMessages(questionMessages)
  const common = useMessages(commonMessages)
  const tell = useToast()
  const [draft, change, forget] = useDraft(`question.${questionId ?? taskId}`, { text: '' })
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const ask = useChange('questions.ask', ['questions.list', 'events.list'])
  const answer = useChange('questions.answer', ['questions.list', 'events.list'])
  const isAnswer = questionId !== undefined
  const problem = isAnswer ? answer.error : ask.error
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const show = showIn(event.currentTarget, setFaults)
    const said = { task_id: taskId, text: draft.text.trim() }
    const found = isAnswer
      ? faultsOf('questions.answer', { ...said, question_id: questionId })
      : faultsOf('questions.ask', said)
    show(found)
    if (Object.keys(found).length > 0) return
    const then = {
      onSuccess: () => {
        forget()
        tell(say(isAnswer ? 'answered' : 'asked'))
        onDone()
      },
      onError: (error: unknown) => {
        show(faultsSaid(error))
      },
    }
    if (isAnswer) answer.mutate({ ...said, question_id: questionId }, then)
    else ask.mutate(said, then)
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <TextAreaField
        label={say(isAnswer ? 'yourAnswer' : 'question')}
        hint={say('questionHelp')}
        rows={2}
        required
        autoFocus
        value={draft.text}
        onChange={(event) => change({ text: event.target.value })}
        error={faultOf('text')}
      />
      {problem !== null && <Failure error={problem} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={isAnswer ? answer.isPending : ask.isPending}>
          {say('send')}
        </Button>
        <Button kind="quiet" onClick={onDone}>
          {common('cancel')}
        </Button>
      </div>
    </form>
  )
}
