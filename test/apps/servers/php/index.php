<?php
$file = __DIR__ . '/notes.json';
$notes = is_file($file) ? json_decode(file_get_contents($file), true) : [];
if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    if (isset($_POST['add'])) $notes[] = $_POST['text'];
    else array_splice($notes, (int) $_POST['index'], 1);
    file_put_contents($file, json_encode($notes));
    header('Location: /');
    exit;
}
?>
<!doctype html><title>Notes</title><h1>Notes</h1>
<form method="post"><label>Note <input name="text"></label><button name="add">Add</button></form>
<ul><?php foreach ($notes as $index => $note): ?><li><?= htmlspecialchars($note) ?>
<form method="post"><input type="hidden" name="index" value="<?= $index ?>"><button>Remove</button></form></li><?php endforeach ?></ul>
<p role="status"><?= count($notes) ?> in the list</p>
