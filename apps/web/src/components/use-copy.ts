import { useRef, useState, type RefObject } from 'react'
import { copyText, type Copied } from '../lib/copy-text.ts'

export type Copying<Shown extends HTMLElement> = {
  /** Where the text is shown; it is left selected where the browser copies nothing. */
  readonly shown: RefObject<Shown | null>
  /** What the last press did; of another text, nothing. */
  readonly done: Copied | undefined
  readonly copy: () => void
}

/** A button that copies what is shown beside it, and never does nothing. */
export function useCopy<Shown extends HTMLElement>(text: string): Copying<Shown> {
  const shown = useRef<Shown>(null)
  const [last, setLast] = useState<{ readonly text: string; readonly done: Copied }>()
  return {
    shown,
    done: last?.text === text ? last.done : undefined,
    copy: () => {
      void copyText(text, shown.current).then((done) => {
        setLast({ text, done })
      })
    },
  }
}
