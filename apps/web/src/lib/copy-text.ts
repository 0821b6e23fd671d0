export type Copied = 'copied' | 'selected'

/**
 * Copies a text, and where the browser does not, leaves what is shown of it selected for the reader's own keys. Called
 * by the press itself: WebKit gives the clipboard to nothing later.
 */
export async function copyText(text: string, shown: Node | null): Promise<Copied> {
  // Browsers have it on secure pages alone, though its type says always.
  const clipboard = navigator.clipboard as Clipboard | undefined
  const isWritten = clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  return (await isWritten) === true || (shown !== null && copySelected(text, shown)) ? 'copied' : 'selected'
}

/** The way of before the clipboard had an interface; browsers keep it for pages without TLS. */
function copySelected(text: string, shown: Node): boolean {
  const selection = document.getSelection()
  if (selection === null) return false
  selection.selectAllChildren(shown)
  let isGiven = false
  const give = (event: ClipboardEvent): void => {
    if (event.clipboardData === null) return
    // The text itself, not how the page lays it out.
    event.clipboardData.setData('text/plain', text)
    event.preventDefault()
    isGiven = true
  }
  document.addEventListener('copy', give)
  const isDone = document.execCommand('copy') && isGiven
  document.removeEventListener('copy', give)
  if (isDone) selection.removeAllRanges()
  return isDone
}
