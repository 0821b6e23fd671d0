/** URLs of http or https, separated by commas or space; undefined where there is none, or one of them is no URL. */
export function httpUrlsOf(text: string): readonly string[] | undefined {
  const urls = text.split(/[\s,]+/).filter((url) => url !== '')
  return urls.length > 0 && urls.every(isHttpUrl) ? urls : undefined
}

const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
