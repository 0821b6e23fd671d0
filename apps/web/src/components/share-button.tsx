import { useState, type ReactNode } from 'react'
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
    try {
      await navigator.clipboard.writeText(url)
      tell(say('copied'))
    } catch {
      setByHand(true)
    }
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
      {isByHand && (
        <span role="status" className="basis-full wrap-anywhere">
          {say('byHand')} <span className="select-all">{url}</span>
        </span>
      )}
    </>
  )
}
