// A link to a test opens what the test stands in.
function show() {
  const place = document.getElementById(location.hash.slice(1));
  for (let up = place; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
  if (place) place.scrollIntoView({ block: "center" });
}
addEventListener("hashchange", show);
show();
