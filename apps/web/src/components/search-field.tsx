import { useState, type ReactNode } from 'react'
import { limits } from '@ergon/contract'
import { readWords } from '../lib/search.ts'
import { Icon } from './icon.tsx'

type SearchProps = {
  readonly label: string
  /** What the address says is looked for. */
  readonly words: string | undefined
  readonly onSearch: (words: string | undefined) => void
  readonly children?: ReactNode
}

/** A line for words to look for; it takes effect when it is sent, and when it is emptied. */
export function SearchField({ label, words, onSearch, children }: SearchProps): ReactNode {
  const [typed, setTyped] = useState(words ?? '')
  const [known, setKnown] = useState(words)
  // Whoever goes back sees what was looked for then; what is being typed stays.
  if (known !== words) {
    setKnown(words)
    if (readWords(typed) !== words) setTyped(words ?? '')
  }
  return (
    <form
      role="search"
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(readWords(typed))
      }}
    >
      <div className="relative min-w-36 flex-1">
        <Icon name="magnifying-glass" className="absolute top-3.5 left-3.5 text-[1.25rem] text-quiet" />
        <input
          type="search"
          name="q"
          aria-label={label}
          placeholder={label}
          maxLength={limits.searchMax}
          autoComplete="off"
          enterKeyHint="search"
          className="input input-search placeholder:text-quiet placeholder:opacity-100"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            if (target.value === '') onSearch(undefined)
          }}
        />
      </div>
      {children}
    </form>
  )
}
