const spaced =
  'a an and are as at be by can do for from how in is it of on or that the this to was what when where which with you your ' +
  'der die das den dem des ein eine einen einem einer und oder ist sind im in zu zum zur mit von für auf aus bei wie was nicht ' +
  'le la les un une des du de et ou en est pour dans sur avec el los las y con por para que'
const unspaced = '的 了 和 是 在 与 及 の を に は が で と も へ や から する し た て です ます こと'

/** Words of most texts: a page without them is found, too, when a query has other words. */
export const commonWords: ReadonlySet<string> = new Set(`${spaced} ${unspaced}`.split(' '))
