import type { ReactNode } from 'react'
import { evidenceTypes } from '@ergon/contract'
import { Button } from '../../components/button.tsx'
import { Copyable } from '../../components/copyable.tsx'
import { FilePreview } from '../../components/file-preview.tsx'
import { Card } from '../../components/surface.tsx'
import { saveAs } from '../../lib/csv.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { wordMessages } from '../../messages/words.ts'
import { outboxMessages } from '../../components/outbox/messages.ts'
import { useIsReadable } from '../../components/outbox/outbox-keeper.tsx'
import type { Answer, Answers } from '../../components/outbox/parcel.ts'
import { Unreadable } from './unreadable.tsx'

/** What a person captured and typed, to read and to take along; nothing of it can be changed or sent from here. */
export function KeptAnswers({ answers, note }: { readonly answers: Answers; readonly note: string }): ReactNode {
  const say = useMessages(outboxMessages)
  const words = useMessages(wordMessages)
  const kept = evidenceTypes.flatMap((type) => {
    const answer = answers[type]
    return answer === undefined ? [] : [[type, answer] as const]
  })
  const isReadable = useIsReadable()
  if (kept.length === 0 && note === '')
    return isReadable === false ? <Unreadable /> : <p className="text-quiet">{say('nothingKept')}</p>
  return (
    <>
      {kept.map(([type, answer]) => (
        <Card key={type} as="section" className="grid gap-3">
          <h3>{words(`evidence.${type}`)}</h3>
          <KeptAnswer label={words(`evidence.${type}`)} answer={answer} />
        </Card>
      ))}
      {note !== '' && (
        <Card as="section" className="grid gap-3">
          <h3>{say('note')}</h3>
          <Copyable label={say('note')} text={note} />
        </Card>
      )}
    </>
  )
}

function KeptAnswer({ label, answer }: { readonly label: string; readonly answer: Answer }): ReactNode {
  const say = useMessages(outboxMessages)
  if (answer.kind === 'value')
    return (
      <Copyable
        label={label}
        text={typeof answer.value === 'string' ? answer.value : JSON.stringify(answer.value, null, 2)}
      />
    )
  return (
    <>
      <FilePreview file={answer} alt={label} />
      <div>
        <Button
          onClick={() => {
            saveAs(answer.name, answer.blob, answer.contentType)
          }}
        >
          {say('saveFile')}
          <span className="visually-hidden">{`: ${label}`}</span>
        </Button>
      </div>
    </>
  )
}
