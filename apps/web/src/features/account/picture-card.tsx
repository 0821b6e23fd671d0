import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import type { OperationName } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { Button, buttonClass } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Icon } from '../../components/icon.tsx'
import { Portrait } from '../../components/portrait.tsx'
import { Card } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { middleFrame, type Frame } from './frame.ts'
import { Framing } from './framing.tsx'
import { pictureMessages } from './picture-messages.ts'
import { base64Of, jpegOf, openPicture } from './square-of.ts'

/** What tells where the picture of a person is. */
const shownIn: readonly OperationName[] = [
  'auth.readSession',
  'workers.get',
  'workers.list',
  'reputation.leaderboard',
  'agents.directory',
  'listings.browse',
  'listings.get',
  'tasks.available',
  'tasks.get',
]
const accepted = 'image/jpeg,image/png,image/webp'

/** The picture that others see of the person: chosen or taken, looked at, saved, removed. */
export function PictureCard({ worker }: { readonly worker: Output<'workers.get'> }): ReactNode {
  const say = useMessages(pictureMessages)
  const common = useMessages(commonMessages)
  const tell = useToast()
  const errorId = useId()
  const { chosen, isWrong, choose, frame, setFrame, forget } = useChosen()
  const canvas = useRef<HTMLCanvasElement>(null)
  const set = useChange('workers.setPicture', shownIn)
  const remove = useChange('workers.removePicture', shownIn)
  const { id: executor_id, wallet_address: address, executor_type: party, display_name: name } = worker
  const save = async (): Promise<void> => {
    if (canvas.current === null) return
    await set.mutateAsync({ executor_id, picture: await base64Of(await jpegOf(canvas.current)) })
    forget()
    tell(say('saved'))
  }
  const picture = worker.picture_url
  const error = chosen === undefined ? remove.error : set.error
  return (
    <Card>
      <section aria-labelledby={`${errorId}-title`} className="flex flex-wrap items-center gap-4">
        {chosen === undefined ? (
          <Portrait address={address} party={party} name={name} picture={picture} size={88} />
        ) : (
          <Framing picture={chosen} frame={frame} onFrame={setFrame} party={party} canvas={canvas} />
        )}
        <div className="grid min-w-0 flex-1 basis-44 gap-3">
          <div className="grid gap-1">
            <h2 id={`${errorId}-title`}>{say('title')}</h2>
            <p className="text-sm text-quiet" role="status">
              {say(chosen === undefined ? 'lead' : 'before')}
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            {chosen !== undefined && (
              <Button kind="primary" busy={set.isPending} onClick={() => void save().catch(() => undefined)}>
                {say('save')}
              </Button>
            )}
            <ChooseButton
              says={say(picture === null && chosen === undefined ? 'choose' : 'another')}
              describedBy={isWrong ? errorId : undefined}
              onChoose={choose}
            />
            <ChooseButton says={say('take')} withCamera describedBy={undefined} onChoose={choose} />
            {chosen !== undefined && (
              <Button kind="quiet" onClick={forget}>
                {common('cancel')}
              </Button>
            )}
            {chosen === undefined && worker.picture_url !== null && (
              <Button
                kind="quiet"
                busy={remove.isPending}
                onClick={() => {
                  remove.mutate({ executor_id }, { onSuccess: () => tell(say('removed')) })
                }}
              >
                {say('remove')}
              </Button>
            )}
          </div>
          {isWrong && <WrongFile id={errorId} />}
          {error !== null && <Failure error={error} />}
        </div>
      </section>
    </Card>
  )
}

/** The picture that was chosen last and is not saved yet, and what is shown of it. */
function useChosen() {
  const [chosen, setChosen] = useState<ImageBitmap>()
  const [frame, setFrame] = useState<Frame>(middleFrame)
  const [isWrong, setWrong] = useState(false)
  useEffect(() => () => chosen?.close(), [chosen])
  const choose = (file: File): void => {
    setWrong(false)
    openPicture(file).then(
      (picture) => {
        setFrame(middleFrame)
        setChosen(picture)
      },
      () => {
        setWrong(true)
      },
    )
  }
  const forget = (): void => {
    setChosen(undefined)
  }
  return { chosen, isWrong, choose, frame, setFrame, forget }
}

function WrongFile({ id }: { readonly id: string }): ReactNode {
  const say = useMessages(pictureMessages)
  return (
    <p id={id} role="alert" className="flex gap-1.5 text-sm text-bad">
      <Icon name="warning-fill" className="mt-0.5" />
      {say('wrong')}
    </p>
  )
}

type ChooseProps = {
  readonly says: string
  /** Straight from the camera that looks at whoever holds the phone. */
  readonly withCamera?: boolean
  readonly describedBy: string | undefined
  readonly onChoose: (file: File) => void
}

/** The browser's own field for a file, in the look of a button. */
function ChooseButton({ says, withCamera = false, describedBy, onChoose }: ChooseProps): ReactNode {
  return (
    <label className={buttonClass('secondary', `file-btn relative ${withCamera ? 'wide:hidden' : ''}`)}>
      {withCamera && <Icon name="camera-bold" />}
      {says}
      <input
        type="file"
        accept={accepted}
        className="visually-hidden"
        {...(withCamera ? { capture: 'user' } : {})}
        aria-describedby={describedBy}
        aria-invalid={describedBy === undefined ? undefined : true}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file !== undefined) onChoose(file)
          // The same file again is a change as well.
          target.value = ''
        }}
      />
    </label>
  )
}
