import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'

// Most never ask for it.
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/** Control or Command and K opens the palette, wherever one is; what is being typed stays. */
export function PalettePlace(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey || event.ctrlKey === event.metaKey) return
      event.preventDefault()
      // Over a signature, or any other question, it would be lost.
      if (document.querySelector('dialog[open]') === null) setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
    }
  }, [])
  return (
    isOpen && (
      <Suspense>
        <Palette
          onClose={() => {
            setOpen(false)
          }}
        />
      </Suspense>
    )
  )
}
