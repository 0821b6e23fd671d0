import { useEffect, useId, useRef, type MouseEvent, type ReactNode } from 'react'

type DialogProps = {
  readonly open: boolean
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** A menu: on wide screens it hangs from the corner of the bar. */
  readonly corner?: boolean
  readonly closesOnScrim?: boolean
  /** The content has a heading of its own that says more; the title names the dialog above it. */
  readonly small?: boolean
}

/** The browser's own modal dialog: it keeps the focus in, gives it back, and closes on Escape. */
export function Dialog({
  open,
  title,
  onClose,
  children,
  corner = false,
  closesOnScrim = corner,
  small = false,
}: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const element = dialog.current
    if (element === null) return
    if (open && !element.open) element.showModal()
    if (open || !element.open) return
    element.close()
    dropSecondClick()
  }, [open])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        // Only the scrim around it is the dialog itself.
        if (closesOnScrim && event.target === event.currentTarget && isOutside(event)) onClose()
      }}
      className={`sheet ${corner ? 'sheet-corner' : ''}`}
    >
      {open && (
        <>
          <h2 id={titleId} className={corner ? 'visually-hidden' : small ? 'eyebrow' : 'mb-3'}>
            {title}
          </h2>
          {children}
        </>
      )}
    </dialog>
  )
}

const doubleClickMs = 500

/** The second of two quick clicks was meant for the dialog that the first one closed, not for what lies below it. */
function dropSecondClick(): void {
  const drop = (event: Event): void => {
    if (!(event instanceof UIEvent) || event.detail < 2) return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('click', drop, { capture: true })
  setTimeout(() => {
    document.removeEventListener('click', drop, { capture: true })
  }, doubleClickMs)
}

function isOutside({ clientX: x, clientY: y, currentTarget }: MouseEvent<HTMLElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return x < left || x > right || y < top || y > bottom
}
