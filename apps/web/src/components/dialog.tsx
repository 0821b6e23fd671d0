import { useEffect, useId, useRef, type ReactNode } from 'react'

type DialogProps = {
  readonly open: boolean
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The browser's own modal dialog: it keeps the focus in, gives it back, and closes on Escape. */
export function Dialog({ open, title, onClose, children }: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const element = dialog.current
    if (element === null) return
    if (open && !element.open) element.showModal()
    if (!open && element.open) element.close()
  }, [open])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className="m-auto max-h-[90dvh] w-[min(36rem,calc(100vw-1.5rem))] overflow-y-auto rounded-2xl border border-line bg-surface p-5 text-ink shadow-xl"
    >
      {open && (
        <>
          <h2 id={titleId} className="mb-3">
            {title}
          </h2>
          {children}
        </>
      )}
    </dialog>
  )
}
