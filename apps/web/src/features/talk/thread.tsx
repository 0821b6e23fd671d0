import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Button } from '../../components/button.tsx'
import { Moment } from '../../components/time.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useAnchor } from '../../lib/use-anchor.ts'
import type { SideNames } from '../../lib/turn-words.ts'
import { talkMessages } from './messages.ts'

type Message = Output<'messages.list'>['messages'][number]
type ThreadProps = {
  /** Newest first, as they are read. */
  readonly messages: readonly Message[]
  /** The reader's own; undefined for whoever decides a dispute. */
  readonly side: Message['by'] | undefined
  /** What the two sides call themselves. */
  readonly names?: SideNames
  readonly showMore?: (() => void) | undefined
  readonly children?: ReactNode
}

/** What was said, in the order in which it was said. */
export function Thread({ messages, side, names = {}, showMore, children }: ThreadProps): ReactNode {
  const say = useMessages(talkMessages)
  const heading = useAnchor('talk')
  return (
    <section aria-labelledby="talk" className="grid gap-4">
      <div className="grid gap-1">
        <h2 id="talk" ref={heading} tabIndex={-1} className="outline-none">
          {say('title')}
        </h2>
        <p className="text-sm text-quiet">{say('lead')}</p>
      </div>
      {showMore !== undefined && (
        <div>
          <Button onClick={showMore}>{say('earlier')}</Button>
        </div>
      )}
      {messages.length === 0 ? (
        <p className="text-quiet">{say('none')}</p>
      ) : (
        <ol className="grid gap-2">
          {messages.toReversed().map((message) => (
            <Said key={message.id} message={message} name={names[message.by]} isOwn={message.by === side} />
          ))}
        </ol>
      )}
      {children}
    </section>
  )
}

type SaidProps = { readonly message: Message; readonly name?: string | null | undefined; readonly isOwn: boolean }

function Said({ message, name, isOwn }: SaidProps): ReactNode {
  const say = useMessages(talkMessages)
  return (
    <li
      className={`grid max-w-[85%] gap-1 rounded-card px-4 py-3 ${isOwn ? 'justify-self-end bg-brand-soft' : 'justify-self-start bg-sunken'}`}
    >
      <p className="flex flex-wrap gap-x-2 text-sm text-quiet">
        <span className="font-label">{isOwn || (name ?? '') === '' ? say(isOwn ? 'you' : message.by) : name}</span>
        <Moment at={message.created_at} />
      </p>
      {message.text === '' ? (
        <p className="text-quiet">{say('removed')}</p>
      ) : (
        <p className="wrap-anywhere whitespace-pre-line">{message.text}</p>
      )}
    </li>
  )
}
