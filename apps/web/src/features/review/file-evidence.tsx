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
  const { shown, fail } = useKept(url)
  if (url === undefined) return <p className="text-quiet">{say('noPicture')}</p>
  const isFilm = isFilmLink(url)
  const isShown = shown !== undefined
  return (
    <>
      {isFilm && isShown && <Film address={shown} title={title} onFault={fail} />}
      {isPicture && !isFilm && isShown && <Picture url={shown} title={title} onFault={fail} />}
      {!isShown && <p className="text-quiet">{say(isFilm ? 'noFilm' : 'noPicture')}</p>}
      <a href={url} target="_blank" rel="noreferrer noopener" className="link inline-flex min-h-11 items-center">
        {say('open')}
      </a>
    </>
  )
}

type Kept = { readonly shown: string | undefined; readonly fail: () => void }

/**
 * The link that a picture or a film was first shown by: a fresh one to the same file does not load it again, until the
 * one before is over. Undefined where the newest leads to nothing that can be shown.
 */
function useKept(url: string | undefined): Kept {
  const [kept, setKept] = useState(url)
  const [failed, setFailed] = useState<string>()
  if (fileBehind(kept) !== fileBehind(url)) setKept(url)
  const shown = failed === kept ? url : kept
  return {
    shown: shown === failed ? undefined : shown,
    fail() {
      setFailed(shown)
      setKept(url)
    },
  }
}

function fileBehind(link: string | undefined): string | undefined {
  return link?.replace(/[?#].*$/s, '')
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
