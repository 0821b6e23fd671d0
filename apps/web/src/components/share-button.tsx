import { useRef, useState, type ReactNode } from 'react'
import { copyText } from '../lib/copy-text.ts'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'
import { Icon } from './icon.tsx'
import { useToast } from './toast.tsx'

const shareMessages = defineMessages({
  en: { share: 'Share', copied: 'The link is copied.', byHand: 'Copy this link:' },
  es: { share: 'Compartir', copied: 'El enlace está copiado.', byHand: 'Copia este enlace:' },
})

type ShareProps = { readonly title: string; readonly url: string }

/** Hands a link on: by the device's own sheet, else by the clipboard, else as a text to copy. */
export function ShareButton({ title, url }: ShareProps): ReactNode {
  const say = useMessages(shareMessages)
  const tell = useToast()
  const [isByHand, setByHand] = useState(false)
  const link = useRef<HTMLSpanElement>(null)
  const share = async (): Promise<void> => {
    // Not every browser has it, though its type says so.
    const sheet = navigator.share as Navigator['share'] | undefined
    if (sheet !== undefined) {
      try {
        await sheet.call(navigator, { title, url })
        return
      } catch (failure) {
        if (failure instanceof Error && failure.name === 'AbortError') return
      }
    }
    if ((await copyText(url, link.current)) === 'copied') tell(say('copied'))
    else setByHand(true)
  }
  return (
    <>
      <button
        type="button"
        className="inline-flex min-h-11 items-center gap-1.5 font-label text-brand"
        onClick={() => {
          void share()
        }}
      >
        <Icon name="share-network-bold" /> {say('share')}
      </button>
      {/* A page without TLS copies only what is on it. */}
      <span
        role={isByHand ? 'status' : undefined}
        aria-hidden={!isByHand}
        className={isByHand ? 'basis-full wrap-anywhere' : 'visually-hidden'}
      >
        {say('byHand')}{' '}
        <span ref={link} className="select-all">
          {url}
        </span>
      </span>
    </>
  )
}
