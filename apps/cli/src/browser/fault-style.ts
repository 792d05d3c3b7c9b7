/** The look of a fault on a page of a preview, whether its server or its script shows it. */
export const faultStyle =
  'position:fixed;inset:auto 0 0 0;z-index:9999;margin:0;padding:1rem;background:#7f1d1d;color:#fff;white-space:pre-wrap'
