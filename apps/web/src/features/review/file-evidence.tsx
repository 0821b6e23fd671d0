import { useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { ClosesOnBack } from '../../components/closes-on-back.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Film, isFilmLink } from '../../components/film.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { reviewMessages } from './messages.ts'

type FileEvidenceProps = {
  readonly url: string | undefined
  readonly title: string
  readonly isPicture: boolean
}

/** A picture to enlarge, a film to play, or a link to any other file: a link in any case. */
export function FileEvidence({ url, title, isPicture }: FileEvidenceProps): ReactNode {
  const say = useMessages(reviewMessages)
  const [failed, setFailed] = useState<string>()
  if (url === undefined) return <p className="text-quiet">{say('noPicture')}</p>
  const isFilm = isFilmLink(url)
  const isShown = failed !== url
  const fail = (): void => {
    setFailed(url)
  }
  return (
    <>
      {isFilm && isShown && <Film address={url} title={title} onFault={fail} />}
      {isPicture && !isFilm && isShown && <Picture url={url} title={title} onFault={fail} />}
      {!isShown && <p className="text-quiet">{say(isFilm ? 'noFilm' : 'noPicture')}</p>}
      <a href={url} target="_blank" rel="noreferrer noopener" className="link inline-flex min-h-11 items-center">
        {say('open')}
      </a>
    </>
  )
}

type PictureProps = { readonly url: string; readonly title: string; readonly onFault: () => void }

function Picture({ url, title, onFault }: PictureProps): ReactNode {
  const say = useMessages(reviewMessages)
  const common = useMessages(commonMessages)
  const [isLarge, setLarge] = useState(false)
  const close = (): void => {
    setLarge(false)
  }
  return (
    <>
      <button
        type="button"
        onClick={() => {
          setLarge(true)
        }}
        aria-label={say('enlarge', { type: title })}
        className="justify-self-start rounded-lg"
      >
        <img src={url} alt={title} onError={onFault} className="max-h-96 rounded-lg bg-sunken object-contain" />
      </button>
      <Dialog open={isLarge} title={title} onClose={close}>
        <ClosesOnBack onClose={close} />
        <div className="grid gap-3">
          <img src={url} alt={title} className="max-h-[70dvh] w-full object-contain" />
          <Button onClick={close}>{common('close')}</Button>
        </div>
      </Dialog>
    </>
  )
}
