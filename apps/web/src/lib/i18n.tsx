import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'
import { keepLanguage, localeOf, readLanguage, type Language } from './language.ts'
import {
  formatMessage,
  formatRich,
  type Messages,
  type MessageValues,
  type RichValues,
  textOf,
  warmUp,
} from './messages.ts'

type Speech = { readonly language: Language; readonly locale: string; readonly speak: (language: Language) => void }

const SpeechContext = createContext<Speech | undefined>(undefined)

/** Gives everything below it a language, and keeps the one that is chosen. */
export function SpeechProvider({
  children,
  language: given,
}: {
  readonly children: ReactNode
  readonly language?: Language
}): ReactNode {
  const [language, setLanguage] = useState(given ?? readLanguage)
  useEffect(() => {
    document.documentElement.lang = language
    const timer = setTimeout(() => {
      warmUp(localeOf(language, navigator.languages))
    })
    return () => {
      clearTimeout(timer)
    }
  }, [language])
  const speech = useMemo<Speech>(
    () => ({
      language,
      locale: localeOf(language, navigator.languages),
      speak: (next) => {
        keepLanguage(next)
        setLanguage(next)
      },
    }),
    [language],
  )
  return <SpeechContext value={speech}>{children}</SpeechContext>
}

export function useSpeech(): Speech {
  const speech = use(SpeechContext)
  if (speech === undefined) throw new Error('there is no SpeechProvider above')
  return speech
}

/** Texts of one part of the app in the language of the reader. */
export type Say<K extends string> = ((key: K, values?: MessageValues) => string) & {
  readonly rich: (key: K, values: RichValues) => ReactNode
}

export function useMessages<K extends string>(messages: Messages<K>): Say<K> {
  const { language, locale } = useSpeech()
  return useMemo(() => {
    const texts = messages[language]
    return Object.assign((key: K, values?: MessageValues) => formatMessage(textOf(texts, key), locale, values), {
      rich: (key: K, values: RichValues) => formatRich(textOf(texts, key), locale, values),
    })
  }, [messages, language, locale])
}
