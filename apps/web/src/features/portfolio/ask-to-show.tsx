import { useState, type FormEvent, type ReactNode } from 'react'
import { limits } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { Button, LinkButton } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { CheckField } from '../../components/field.tsx'
import { Card, Note } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange, useRead } from '../../lib/market.tsx'
import { ownLink } from '../../lib/service-address.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { portfolioMessages } from './messages.ts'
import { WorkCard } from './work-card.tsx'

export type Piece = Output<'portfolio.read'>

/** An ask that nobody answers ends. */
const askDays = 30

/** The worker's side: to ask, to see the answer, to take it back. */
export function AskToShow({ piece }: { readonly piece: Piece }): ReactNode {
  const say = useMessages(portfolioMessages)
  const [isOpen, setOpen] = useState(false)
  if (piece.may_ask && isOpen) return <Chooser piece={piece} onClose={() => setOpen(false)} />
  if (piece.may_ask)
    return (
      <Note icon="image" title={say('offer')}>
        <p className="text-sm">{say('offerSays')}</p>
        <div className="pt-2">
          <Button onClick={() => setOpen(true)}>{say('choose')}</Button>
        </div>
      </Note>
    )
  if (piece.state === 'asked')
    return (
      <Note tone="move" icon="image" title={say('asked')}>
        <p className="text-sm">{say('askedSays', { days: askDays })}</p>
        <TakeBack piece={piece} />
      </Note>
    )
  if (piece.state === 'allowed')
    return (
      <Note tone="good" title={say('shown')}>
        <TakeBack piece={piece}>
          {piece.executor_id !== null && (
            <LinkButton to="/people/$workerId" params={{ workerId: piece.executor_id }}>
              {say('seeProfile')}
            </LinkButton>
          )}
        </TakeBack>
      </Note>
    )
  if (piece.state !== 'declined') return null
  return (
    <Note title={say('declined')}>
      <p className="text-sm">{say('declinedSays')}</p>
    </Note>
  )
}

function TakeBack({ piece, children }: { readonly piece: Piece; readonly children?: ReactNode }): ReactNode {
  const say = useMessages(portfolioMessages)
  const tell = useToast()
  const takeBack = useChange('portfolio.takeBack', ['portfolio.read', 'portfolio.list'])
  return (
    <>
      <div className="flex flex-wrap gap-2 pt-2">
        {children}
        <Button
          busy={takeBack.isPending}
          onClick={() => {
            takeBack.mutate({ task_id: piece.task_id }, { onSuccess: () => tell(say('takenBack')) })
          }}
        >
          {say('takeBack')}
        </Button>
      </div>
      {takeBack.error !== null && <Failure error={takeBack.error} />}
    </>
  )
}

function Chooser({ piece, onClose }: { readonly piece: Piece; readonly onClose: () => void }): ReactNode {
  const say = useMessages(portfolioMessages)
  const common = useMessages(commonMessages)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [urls, setUrls] = useState<Readonly<Record<string, string>>>({})
  const ask = useChange('portfolio.ask', ['portfolio.read'])
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    ask.mutate({ task_id: piece.task_id, pictures: [...chosen] })
  }
  const toggle = (key: string, url: string): void => {
    setUrls({ ...urls, [key]: url })
    setChosen(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key])
  }
  const { work } = piece
  return (
    <Card as="section" className="grid gap-4">
      <form noValidate onSubmit={submit} className="grid gap-4">
        <h2>{say('offer')}</h2>
        <p className="text-quiet">{say('offerSays')}</p>
        {piece.choices.length === 0 ? (
          <p>{say('noPictures')}</p>
        ) : (
          <fieldset className="grid gap-2">
            <legend className="font-label">{say('pictures')}</legend>
            <p className="text-sm text-quiet">{say('picturesHint', { most: limits.portfolioPictures })}</p>
            <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
              {piece.choices.map((key, at) => (
                <Choice
                  key={key}
                  evidence={key}
                  label={say('choice', { n: at + 1 })}
                  isChosen={chosen.includes(key)}
                  isFull={chosen.length >= limits.portfolioPictures}
                  onToggle={toggle}
                />
              ))}
            </div>
          </fieldset>
        )}
        {work !== null && (
          <section aria-label={say('looks')} className="grid gap-2">
            <h3>{say('looks')}</h3>
            <div className="max-w-sm">
              <WorkCard work={{ ...work, pictures: chosen.map((key) => urls[key] ?? '') }} />
            </div>
          </section>
        )}
        {ask.error !== null && <Failure error={ask.error} />}
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" kind="primary" busy={ask.isPending}>
            {say('send')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

type ChoiceProps = {
  readonly evidence: string
  readonly label: string
  readonly isChosen: boolean
  readonly isFull: boolean
  readonly onToggle: (key: string, url: string) => void
}

function Choice({ evidence, label, isChosen, isFull, onToggle }: ChoiceProps): ReactNode {
  const { data, error } = useRead('evidence.presignDownload', { key: evidence }, { staleTime: 600_000 })
  if (error !== null) return <Failure error={error} />
  const url = data === undefined ? undefined : ownLink(new URL(data.download_url, location.origin).href)
  return (
    <div className="grid gap-1.5">
      {url === undefined ? (
        <span className="aspect-square w-full rounded-lg bg-sunken" />
      ) : (
        <img src={url} alt="" className="aspect-square w-full rounded-lg bg-sunken object-cover" />
      )}
      <CheckField
        label={label}
        checked={isChosen}
        disabled={url === undefined || (isFull && !isChosen)}
        onChange={() => {
          onToggle(evidence, url ?? '')
        }}
      />
    </div>
  )
}
