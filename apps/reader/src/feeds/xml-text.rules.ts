/** XML has no form for these characters, escaped or not (XML 1.0, 2.2). */
export function withoutControls(xml: string): string {
  return xml.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
}
