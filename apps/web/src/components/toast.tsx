import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react'
import { Icon } from './icon.tsx'

const ToastContext = createContext<((text: string) => void) | undefined>(undefined)
const shownMs = 6_000

/** Says in passing what was done; a live region, so that it is heard as well. */
export function ToastProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [texts, setTexts] = useState<readonly { readonly id: number; readonly text: string }[]>([])
  const tell = useCallback((text: string) => {
    const id = performance.now()
    setTexts((known) => [...known.slice(-2), { id, text }])
    setTimeout(() => {
      setTexts((known) => known.filter((one) => one.id !== id))
    }, shownMs)
  }, [])
  const list = useMemo(() => texts, [texts])
  return (
    <ToastContext value={tell}>
      {children}
      <div role="status" className="pointer-events-none toasts fixed inset-x-4 z-20 grid justify-items-center gap-2">
        {list.map(({ id, text }) => (
          <p key={id} className="flex items-center gap-2.5 rounded-control bg-ink px-4 py-3 text-page shadow-float">
            <Icon name="check-circle-fill" />
            {text}
          </p>
        ))}
      </div>
    </ToastContext>
  )
}

export function useToast(): (text: string) => void {
  const tell = use(ToastContext)
  if (tell === undefined) throw new Error('there is no ToastProvider above')
  return tell
}
