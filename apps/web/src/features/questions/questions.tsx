import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Button } from '../../components/button.tsx'
import { Moment } from '../../components/time.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useAnchor } from '../../lib/use-anchor.ts'
import { questionMessages } from './messages.ts'

// Most who read ask nothing, and a form brings the schemas along.
const SayForm = lazy(async () => ({ default: (await import('./say-form.tsx')).SayForm }))

type Question = Output<'questions.list'>['questions'][number]
type QuestionsProps = {
  readonly taskId: string
  /** What the publisher calls itself. */
  readonly publisher: string | null
  /** Newest first. */
  readonly questions: readonly Question[]
  readonly as: 'publisher' | 'asker' | undefined
}

/** What was asked and answered, and the way to ask or to answer. */
export function Questions({ taskId, publisher, questions, as }: QuestionsProps): ReactNode {
  const say = useMessages(questionMessages)
  const [isAsking, setAsking] = useState(false)
  const heading = useAnchor('questions')
  return (
    <section aria-labelledby="questions" className="grid gap-4">
      <div className="grid gap-1">
        <h2 id="questions" ref={heading} tabIndex={-1} className="outline-none">
          {say('title')}
        </h2>
        <p className="text-sm text-quiet">{say('lead')}</p>
      </div>
      {questions.length === 0 && <p className="text-quiet">{say('none')}</p>}
      {questions.length > 0 && (
        <ul className="grid gap-3">
          {questions.map((one) => (
            <Asked key={one.id} question={one} publisher={publisher} mayAnswer={as === 'publisher'} />
          ))}
        </ul>
      )}
      {as === 'asker' && !isAsking && (
        <div>
          <Button
            onClick={() => {
              setAsking(true)
            }}
          >
            {say('ask')}
          </Button>
        </div>
      )}
      {as === 'asker' && isAsking && (
        <Suspense>
          <SayForm
            taskId={taskId}
            onDone={() => {
              setAsking(false)
            }}
          />
        </Suspense>
      )}
    </section>
  )
}

type AskedProps = { readonly question: Question; readonly publisher: string | null; readonly mayAnswer: boolean }

function Asked({ question, publisher, mayAnswer }: AskedProps): ReactNode {
  const say = useMessages(questionMessages)
  const [isAnswering, setAnswering] = useState(false)
  const { answer } = question
  return (
    <li className="grid gap-2 rounded-card bg-sunken px-4 py-3">
      <Words text={question.text} at={question.created_at} />
      {answer !== null && (
        <div className="grid gap-1 border-l-2 border-line pl-3">
          <p className="text-sm font-label text-quiet">
            {(publisher ?? '') === '' ? say('byPublisher') : say('byName', { name: publisher ?? '' })}
          </p>
          <Words text={answer.text} at={answer.created_at} />
        </div>
      )}
      {answer === null && !mayAnswer && <p className="text-sm text-quiet">{say('waiting')}</p>}
      {answer === null && mayAnswer && !isAnswering && (
        <div>
          <Button
            onClick={() => {
              setAnswering(true)
            }}
          >
            {say('answer')}
            <span className="visually-hidden">: {question.text}</span>
          </Button>
        </div>
      )}
      {answer === null && mayAnswer && isAnswering && (
        <Suspense>
          <SayForm
            taskId={question.task_id}
            questionId={question.id}
            onDone={() => {
              setAnswering(false)
            }}
          />
        </Suspense>
      )}
    </li>
  )
}

function Words({ text, at }: { readonly text: string; readonly at: string }): ReactNode {
  const say = useMessages(questionMessages)
  return (
    <div className="grid gap-0.5">
      {text === '' ? (
        <p className="text-quiet">{say('removed')}</p>
      ) : (
        <p className="wrap-anywhere whitespace-pre-line">{text}</p>
      )}
      <p className="text-sm text-quiet">
        <Moment at={at} />
      </p>
    </div>
  )
}
